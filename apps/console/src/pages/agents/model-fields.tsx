import { Alert, Anchor, Autocomplete, Select, SimpleGrid } from '@mantine/core'
import type { Connection } from '@parley/sdk'
import { Link } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useConnectionDirectory } from '../../data/use-directory'
import { Section } from '../../parts/section'
import { connectionKinds } from '../connections/connection-kinds'
import { FallbackFields } from './fallback-fields'
import type { TabProps } from './use-agent-editor'
import { voices } from './voices'

/** Select has no value that means null. */
const byDefault = 'default'

export function ModelFields(tab: TabProps) {
  const {
    editing: { draft, errors, change },
    isReadOnly,
  } = tab
  const { may } = useConsole()
  const connections = useConnectionDirectory().data ?? []
  const standard = connections.find(({ isDefault }) => isDefault)
  const chosen =
    draft.connectionId === null ? standard : connections.find(({ id }) => id === draft.connectionId)
  const options = connectionOptions(connections, draft.connectionId)
  const concern = concernOf(chosen, draft.realtimeModel)
  return (
    <Section title="Model and voice">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Connection"
          description="Provider of the models."
          data={options}
          value={draft.connectionId ?? byDefault}
          onChange={(id) => change({ connectionId: id === byDefault ? null : id })}
          allowDeselect={false}
          searchable={options.length > 8}
          error={errors.connectionId}
          readOnly={isReadOnly}
        />
        <Autocomplete
          label="Voice"
          description="Default for sessions. Leave empty for the provider’s default."
          placeholder={chosen && connectionKinds[chosen.kind].defaultVoice}
          data={voices}
          value={draft.voice ?? ''}
          onChange={(text) => change({ voice: text === '' ? null : text })}
          error={errors.voice}
          readOnly={isReadOnly}
        />
        <Autocomplete
          label="Text model"
          description="Leave empty for the connection’s default."
          placeholder={chosen?.models.chat ?? 'Connection default'}
          data={chosen?.models.chat ? [chosen.models.chat] : []}
          value={draft.model ?? ''}
          onChange={(text) => change({ model: text === '' ? null : text })}
          error={errors.model}
          readOnly={isReadOnly}
        />
        <Autocomplete
          label="Realtime model"
          description="For voice. Leave empty for the connection’s default."
          placeholder={chosen?.models.realtime?.[0] ?? 'Connection default'}
          data={chosen?.models.realtime ?? []}
          value={draft.realtimeModel ?? ''}
          onChange={(text) => change({ realtimeModel: text === '' ? null : text })}
          error={errors.realtimeModel}
          readOnly={isReadOnly}
        />
      </SimpleGrid>
      <FallbackFields {...tab} />
      {concern !== null && (
        <Alert color="blue" role="status">
          {concern}{' '}
          {may('connection:read') && (
            <Anchor component={Link} to="/connections" inherit>
              View connections
            </Anchor>
          )}
        </Alert>
      )}
    </Section>
  )
}

function connectionOptions(connections: readonly Connection[], chosenId: string | null) {
  const standard = connections.find(({ isDefault }) => isDefault)
  const isKnown = chosenId === null || connections.some(({ id }) => id === chosenId)
  return [
    { value: byDefault, label: standard === undefined ? 'Default' : `Default (${standard.name})` },
    ...connections.map(({ id, name }) => ({ value: id, label: name })),
    ...(isKnown ? [] : [{ value: chosenId, label: 'Unknown connection' }]),
  ]
}

/** Warns about problems before the first conversation fails. */
function concernOf(connection: Connection | undefined, realtimeModel: string | null): string | null {
  if (connection === undefined) return null
  const { name, kind, governanceDisabled, realtimeEnabled, models } = connection
  if (governanceDisabled) return `${name} is disabled. The agent cannot answer.`
  if (!realtimeEnabled || kind === 'anthropic')
    return `${name} does not support voice. The agent answers in text only.`
  if (realtimeModel !== null && models.realtime !== null && !models.realtime.includes(realtimeModel))
    return `${realtimeModel} is not a realtime model of ${name}. Voice sessions will be rejected.`
  return null
}
