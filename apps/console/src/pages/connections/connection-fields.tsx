import { Checkbox, PasswordInput, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core'
import type { Connection } from '@parley/sdk'
import { useConnectionDirectory } from '../../data/use-directory'
import type { ConnectionDraft } from './connection-draft'
import { connectionKinds, kindOf, kindOptions } from './connection-kinds'

interface ConnectionFieldsProps {
  readonly draft: ConnectionDraft
  readonly saved: Connection | null
  readonly mistakes: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly onChange: (fields: Partial<ConnectionDraft>) => void
}

export function ConnectionFields(props: ConnectionFieldsProps) {
  const { draft, mistakes, isReadOnly, onChange } = props
  const { about, address, addressExample, takesKey } = connectionKinds[draft.kind]
  return (
    <Stack>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        error={mistakes.name}
        readOnly={isReadOnly}
      />
      <Select
        label="Kind"
        description={about}
        data={kindOptions}
        value={draft.kind}
        onChange={(value) => {
          const kind = kindOf(value)
          if (kind !== null) onChange({ kind })
        }}
        allowDeselect={false}
        error={mistakes.kind}
        readOnly={isReadOnly}
      />
      {address !== 'none' && (
        <TextInput
          label="Address"
          description={
            address === 'needed' ? 'The base address of the provider.' : 'Left empty: the provider’s own.'
          }
          placeholder={addressExample}
          required={address === 'needed'}
          value={draft.baseUrl}
          onChange={({ currentTarget }) => onChange({ baseUrl: currentTarget.value })}
          error={mistakes.baseUrl}
          readOnly={isReadOnly}
        />
      )}
      {takesKey && <KeyField {...props} />}
      {draft.kind === 'embedded' && <SpeaksFor {...props} />}
      {draft.kind !== 'embedded' && <ModelNames {...props} />}
      <Checkbox
        label="The default"
        description="Agents that name no connection use it."
        checked={draft.isDefault}
        onChange={({ currentTarget }) => onChange({ isDefault: currentTarget.checked })}
        disabled={isReadOnly}
      />
      <Checkbox
        label="Voice sessions may use it"
        checked={draft.realtimeEnabled}
        onChange={({ currentTarget }) => onChange({ realtimeEnabled: currentTarget.checked })}
        disabled={isReadOnly}
      />
      <Checkbox
        label="Switched off"
        description="Nobody can use it until it is switched on again; the key stays."
        checked={draft.governanceDisabled}
        onChange={({ currentTarget }) => onChange({ governanceDisabled: currentTarget.checked })}
        disabled={isReadOnly}
      />
    </Stack>
  )
}

/** Write-only. The service never returns the key. */
function KeyField({ draft, saved, mistakes, isReadOnly, onChange }: ConnectionFieldsProps) {
  const hasKey = saved?.hasApiKey ?? false
  const isMoved = hasKey && draft.baseUrl.trim() !== (saved?.baseUrl ?? '')
  const description = isMoved
    ? 'The address has changed: the stored key does not go there. Paste the key for the new one.'
    : hasKey
      ? 'A key is stored. Paste another to replace it.'
      : 'It is encrypted, and shown to nobody once it is saved.'
  return (
    <Stack gap="xs">
      <PasswordInput
        label="Key"
        description={description}
        placeholder={hasKey && !isMoved ? '••••••••••••' : ''}
        autoComplete="off"
        value={draft.apiKey}
        onChange={({ currentTarget }) => onChange({ apiKey: currentTarget.value, removesKey: false })}
        error={mistakes.apiKey}
        readOnly={isReadOnly}
      />
      {hasKey && !isReadOnly && (
        <Checkbox
          size="xs"
          label="Remove the stored key"
          checked={draft.removesKey}
          onChange={({ currentTarget }) => onChange({ removesKey: currentTarget.checked, apiKey: '' })}
        />
      )}
    </Stack>
  )
}

const offline = 'offline'

function SpeaksFor({ draft, saved, mistakes, isReadOnly, onChange }: ConnectionFieldsProps) {
  const others = (useConnectionDirectory().data ?? []).filter(
    ({ id, kind }) => kind !== 'embedded' && id !== saved?.id,
  )
  return (
    <Select
      label="Speaks for"
      description="Whose text model thinks; the built-in engine hears and speaks."
      data={[
        { value: offline, label: 'The small offline model' },
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={draft.chatConnectionId ?? offline}
      onChange={(id) => onChange({ chatConnectionId: id === offline ? null : id })}
      allowDeselect={false}
      error={mistakes.chatConnectionId}
      readOnly={isReadOnly}
    />
  )
}

function ModelNames({ draft, mistakes, isReadOnly, onChange }: ConnectionFieldsProps) {
  const { hasVoice, chatExample } = connectionKinds[draft.kind]
  const text = (name: 'chat' | 'transcription' | 'speech') => ({
    value: draft[name],
    error: mistakes[`models.${name}`],
    readOnly: isReadOnly,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ [name]: currentTarget.value }),
  })
  return (
    <>
      <TextInput
        label="Text model"
        description="Of agents that name none."
        placeholder={chatExample}
        {...text('chat')}
      />
      {hasVoice && (
        <>
          <TagsInput
            label="Realtime models"
            description="The default first, each followed by Enter. Left empty: the service’s own choice."
            value={draft.realtime}
            onChange={(realtime) => onChange({ realtime })}
            error={Object.entries(mistakes).find(([path]) => path.startsWith('models.realtime'))?.[1]}
            readOnly={isReadOnly}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Transcription model"
              description="Writes down what was said."
              {...text('transcription')}
            />
            <TextInput label="Speech model" description="Speaks." {...text('speech')} />
          </SimpleGrid>
        </>
      )}
    </>
  )
}
