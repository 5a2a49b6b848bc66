import { Box } from '@mantine/core'
import { wordsOf } from '../data/error-words'
import { ErrorText } from '../parts/error-notice'

/** Where the door says why not. The room is kept: nothing moves under the fingers of whoever tries again. */
export function RefusalPlace({ error }: { readonly error: unknown }) {
  return (
    <Box mih="5rem" role="alert" c="var(--mantine-color-error)">
      {error !== null && <ErrorText {...wordsOf(error)} />}
    </Box>
  )
}
