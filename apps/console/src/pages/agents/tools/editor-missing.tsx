import { Alert } from '@mantine/core'

/** In place of the editor where it cannot be loaded: what was written in the form is not lost with it. */
export function EditorMissing() {
  return (
    <Alert color="orange" title="The JSON view cannot be loaded">
      The service is away, or was updated since this page was opened. What you wrote is kept: finish there,
      then load the page again.
    </Alert>
  )
}
