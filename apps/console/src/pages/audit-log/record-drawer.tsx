import { Anchor, Drawer, Stack, Text } from '@mantine/core'
import type { AuditLogRecord } from '@parley/sdk'
import { Facts } from '../../parts/facts'
import { JsonText } from '../../parts/json-text'

interface RecordDrawerProps {
  readonly record: AuditLogRecord | null
  readonly onClose: () => void
  readonly onActor: (actorId: string) => void
}

export function RecordDrawer({ record, onClose, onActor }: RecordDrawerProps) {
  return (
    <Drawer
      opened={record !== null}
      onClose={onClose}
      title={record?.action ?? ''}
      position="right"
      size="lg"
    >
      {record !== null && (
        <Stack>
          <Facts
            facts={{
              Time: new Date(record.at).toLocaleString(),
              Actor: <Actor record={record} onActor={onActor} />,
              'Resource type': record.resourceType,
              'Resource ID': record.resourceId,
              Outcome: record.outcome === 'success' ? 'Success' : 'Denied',
              'IP address': record.ipAddress,
              'Request ID': record.requestId,
              Sequence: record.sequence === null ? 'not sealed yet' : String(record.sequence),
              Hash: record.hash,
            }}
          />
          <Text size="sm" fw={600}>
            Details
          </Text>
          <JsonText text={JSON.stringify(record.details)} label="Details" />
        </Stack>
      )}
    </Drawer>
  )
}

function Actor({
  record: { actor },
  onActor,
}: Pick<RecordDrawerProps, 'onActor'> & { record: AuditLogRecord }) {
  const label = `${actor.name ?? 'unnamed'} (${actor.type.replace('_', ' ')})`
  if (actor.id === null) return label
  const { id } = actor
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => onActor(id)}>
      {label}
    </Anchor>
  )
}
