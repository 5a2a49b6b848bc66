import { Box } from '@mantine/core'
import styles from './json-text.module.css'

/** Formatted JSON, or the text if it is not JSON. Long text scrolls. */
export function JsonText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // Scrollable areas must be focusable by keyboard.
    <Box component="figure" className={styles.text} aria-label={label} tabIndex={0}>
      {prettyJson(text)}
    </Box>
  )
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
