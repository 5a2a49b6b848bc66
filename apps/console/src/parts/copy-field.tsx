import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Read-only text with a copy button. */
export function CopyField({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <Text
        ff="monospace"
        size="sm"
        flex={1}
        aria-label={label}
        data-copy={label}
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      >
        {value}
      </Text>
      <CopyAction value={value} label={label} />
    </Group>
  )
}

function CopyAction({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'green' : 'gray'}
            onClick={copy}
            aria-label={`Copy ${label}`}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
