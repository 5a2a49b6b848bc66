import { Box } from '@mantine/core'
import { useState } from 'react'
import { errorMessageOf } from '../data/error-message'
import { ErrorText } from '../parts/error-notice'

/** The error of a failed sign-in. After the first one it keeps its space, so that the layout does not move on a retry. */
export function SignInErrorNotice({ error }: { readonly error: unknown }) {
  const [hasFailed, setFailed] = useState(false)
  if (error !== null && !hasFailed) setFailed(true)
  return (
    <Box mih={hasFailed ? '5rem' : 0} role="alert" c="var(--mantine-color-error)">
      {error !== null && <ErrorText {...errorMessageOf(error)} />}
    </Box>
  )
}
