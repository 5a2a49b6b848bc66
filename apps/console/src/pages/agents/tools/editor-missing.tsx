import { Alert } from '@mantine/core'

/** Shown if the editor's chunk fails to load. Input in the form is kept. */
export function EditorMissing() {
  return (
    <Alert color="orange" title="The JSON view cannot be loaded">
      The service is away, or was updated since this page was opened. What you wrote is kept: finish there,
      then load the page again.
    </Alert>
  )
}
