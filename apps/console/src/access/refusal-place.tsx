import { Box } from '@mantine/core'
import { wordsOf } from '../data/error-words'
import { ErrorText } from '../parts/error-notice'

/** The error of a failed sign-in. It always takes the same space, so that the layout does not move on a retry. */
export function RefusalPlace({ error }: { readonly error: unknown }) {
  return (
    <Box mih="5rem" role="alert" c="var(--mantine-color-error)">
      {error !== null && <ErrorText {...wordsOf(error)} />}
    </Box>
  )
}
