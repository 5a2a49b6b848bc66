import { Alert } from '@mantine/core'

/** Shown if the editor's chunk fails to load. Input in the form is kept. */
export function EditorMissing() {
  return (
    <Alert color="orange" title="Could not load the JSON editor">
      The service is unavailable or was updated. Your input is kept. Finish in the form, then reload the page.
    </Alert>
  )
}
