import { Group, Text } from '@mantine/core'

/** The name and logo. */
export function Sign() {
  return (
    <Group gap={8} wrap="nowrap">
      <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
        <rect width="28" height="28" rx="8" fill="#0b6b3f" />
        <g stroke="#fff" strokeWidth="2.4" strokeLinecap="round">
          <path d="M7 12v4M11 9v10M15 6.5v15M19 10v8M23 12.5v3" transform="translate(-1)" />
        </g>
      </svg>
      <Text fw={700} fz="lg" lh={1}>
        Parley
      </Text>
    </Group>
  )
}
