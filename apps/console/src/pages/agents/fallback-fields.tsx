import { Autocomplete, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Agent } from '@parley/sdk'
import { useConnectionDirectory } from '../../data/use-directory'
import { type EditedRow, RemoveRow, RowField } from '../../parts/row-field'
import type { FieldErrors } from './agent-errors'
import type { TabProps } from './use-agent-editor'
import { voices } from './voices'

type Fallback = Agent['realtimeFallbacks'][number]

const maxFallbacks = 3

/** The realtime models that answer if the agent's own cannot start a session. */
export function FallbackFields({ editing: { draft, errors, change }, isReadOnly }: TabProps) {
  const connections = useConnectionDirectory().data ?? []
  const [first] = connections.filter(({ kind }) => kind !== 'anthropic')
  const { realtimeFallbacks } = draft
  if (first === undefined) return null
  return (
    <RowField
      legend="Voice fallbacks"
      about="Tried in this order if the realtime model cannot start a session."
      error={errors.realtimeFallbacks}
      isReadOnly={isReadOnly || realtimeFallbacks.length >= maxFallbacks}
      addLabel="Add fallback"
      rows={realtimeFallbacks}
      newRow={{ connectionId: first.id, model: null, voice: null, firstMessage: null }}
      onRows={(rows) => change({ realtimeFallbacks: [...rows] })}
    >
      {(edited) => <FallbackCard {...edited} isReadOnly={isReadOnly} errors={errors} />}
    </RowField>
  )
}

interface FallbackCardProps extends EditedRow<Fallback> {
  readonly errors: FieldErrors
}

function FallbackCard({ row, index, isReadOnly, errors, onChange, onRemove }: FallbackCardProps) {
  const connections = (useConnectionDirectory().data ?? []).filter(({ kind }) => kind !== 'anthropic')
  const chosen = connections.find(({ id }) => id === row.connectionId)
  const options = connections.map(({ id, name }) => ({ value: id, label: name }))
  const errorOf = (name: string) => errors[`realtimeFallbacks[${index - 1}].${name}`]
  return (
    <Paper withBorder p="xs">
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap" align="start">
          <Select
            aria-label={`Fallback ${index} connection`}
            data={
              chosen === undefined
                ? [...options, { value: row.connectionId, label: 'Unknown connection' }]
                : options
            }
            value={row.connectionId}
            onChange={(connectionId) =>
              connectionId !== null && onChange({ ...row, connectionId, model: null })
            }
            allowDeselect={false}
            error={errorOf('connectionId')}
            readOnly={isReadOnly}
            flex={1}
            miw={0}
          />
          {!isReadOnly && <RemoveRow label={`Remove fallback ${index}`} onRemove={onRemove} />}
        </Group>
        <Group gap="xs" wrap="nowrap" align="start">
          <Autocomplete
            aria-label={`Fallback ${index} realtime model`}
            placeholder={chosen?.models.realtime?.[0] ?? 'Default model'}
            data={chosen?.models.realtime ?? []}
            value={row.model ?? ''}
            onChange={(text) => onChange({ ...row, model: text || null })}
            error={errorOf('model')}
            readOnly={isReadOnly}
            flex={1}
            miw={0}
          />
          <Autocomplete
            aria-label={`Fallback ${index} voice`}
            placeholder="Same voice"
            data={voices}
            value={row.voice ?? ''}
            onChange={(text) => onChange({ ...row, voice: text || null })}
            error={errorOf('voice')}
            readOnly={isReadOnly}
            flex={1}
            miw={0}
          />
        </Group>
        <TextInput
          aria-label={`Fallback ${index} first message`}
          placeholder="First message of this fallback"
          maxLength={2000}
          value={row.firstMessage ?? ''}
          onChange={({ currentTarget }) => onChange({ ...row, firstMessage: currentTarget.value || null })}
          error={errorOf('firstMessage')}
          readOnly={isReadOnly}
        />
        {chosen?.governanceDisabled && (
          <Text size="xs" c="dimmed">
            {chosen.name} is disabled and is skipped.
          </Text>
        )}
      </Stack>
    </Paper>
  )
}
