import { Code } from '@mantine/core'

/** Data as it is, to be read. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <Code
      block
      tabIndex={0}
      aria-label={label}
      mah="24rem"
      style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}
    >
      {JSON.stringify(value, null, 2)}
    </Code>
  )
}
