import { Box } from '@mantine/core'
import { errorMessageOf } from '../data/error-message'
import { ErrorText } from '../parts/error-notice'

/** The error of a failed sign-in. It always takes the same space, so that the layout does not move on a retry. */
export function SignInErrorNotice({ error }: { readonly error: unknown }) {
  return (
    <Box mih="5rem" role="alert" c="var(--mantine-color-error)">
      {error !== null && <ErrorText {...errorMessageOf(error)} />}
    </Box>
  )
}
