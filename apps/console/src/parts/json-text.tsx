import { Box } from '@mantine/core'
import styles from './json-text.module.css'

/** JSON as one reads it; text that is none, as it is. Long ones scroll by themselves. */
export function JsonText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // What scrolls must be reachable by the keyboard.
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
