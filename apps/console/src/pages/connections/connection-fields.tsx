import { Checkbox, PasswordInput, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core'
import type { Connection } from '@parley/sdk'
import { useConnectionDirectory } from '../../data/use-directory'
import { type ConnectionDraft, usesVertex } from './connection-draft'
import { connectionKinds, kindOf, kindOptions } from './connection-kinds'

interface ConnectionFieldsProps {
  readonly draft: ConnectionDraft
  readonly saved: Connection | null
  readonly errors: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly onChange: (fields: Partial<ConnectionDraft>) => void
}

export function ConnectionFields(props: ConnectionFieldsProps) {
  const { draft, errors, isReadOnly, onChange } = props
  const { about, address, addressExample, takesKey } = connectionKinds[draft.kind]
  return (
    <Stack>
      <TextInput
        label="Name"
        required
        data-autofocus
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        error={errors.name}
        readOnly={isReadOnly}
      />
      <Select
        label="Provider"
        description={about}
        data={kindOptions}
        value={draft.kind}
        onChange={(value) => {
          const kind = kindOf(value)
          if (kind !== null) onChange({ kind })
        }}
        allowDeselect={false}
        error={errors.kind}
        readOnly={isReadOnly}
      />
      {address !== 'none' && (
        <TextInput
          label="Base URL"
          description={
            address === 'needed'
              ? 'Base URL of the provider’s API.'
              : 'Leave empty for the provider’s default.'
          }
          placeholder={addressExample}
          required={address === 'needed'}
          value={draft.baseUrl}
          onChange={({ currentTarget }) => onChange({ baseUrl: currentTarget.value })}
          error={errors.baseUrl}
          readOnly={isReadOnly}
        />
      )}
      {takesKey && <KeyField {...props} />}
      {draft.kind === 'embedded' && <SpeaksFor {...props} />}
      {draft.kind !== 'embedded' && <ModelNames {...props} />}
      {draft.kind === 'openai' && <RealtimeProtocol {...props} />}
      <Checkbox
        label="Default connection"
        description="Agents without a connection use it."
        checked={draft.isDefault}
        onChange={({ currentTarget }) => onChange({ isDefault: currentTarget.checked })}
        disabled={isReadOnly}
      />
      <Checkbox
        label="Allow voice sessions"
        checked={draft.realtimeEnabled}
        onChange={({ currentTarget }) => onChange({ realtimeEnabled: currentTarget.checked })}
        disabled={isReadOnly}
      />
      <Checkbox
        label="Disabled"
        description="Agents cannot use a disabled connection. The API key is kept."
        checked={draft.governanceDisabled}
        onChange={({ currentTarget }) => onChange({ governanceDisabled: currentTarget.checked })}
        disabled={isReadOnly}
      />
    </Stack>
  )
}

/** Write-only. The service never returns the key. */
function KeyField({ draft, saved, errors, isReadOnly, onChange }: ConnectionFieldsProps) {
  const hasKey = saved?.hasApiKey ?? false
  const isMoved = hasKey && draft.baseUrl.trim() !== (saved?.baseUrl ?? '')
  const isVertex = usesVertex(draft)
  const [label, what] = isVertex ? ['Service account key', 'JSON key'] : ['API key', 'API key']
  const description = isMoved
    ? `The base URL changed. Enter the ${what} for the new URL.`
    : hasKey
      ? `${isVertex ? 'A' : 'An'} ${what} is stored. Enter a new one to replace it.`
      : `${isVertex ? 'Paste the whole JSON file. ' : ''}Encrypted and never shown again.`
  return (
    <Stack gap="xs">
      <PasswordInput
        label={label}
        description={description}
        placeholder={hasKey && !isMoved ? '••••••••••••' : ''}
        autoComplete="off"
        value={draft.apiKey}
        onChange={({ currentTarget }) => onChange({ apiKey: currentTarget.value, removesKey: false })}
        error={errors.apiKey}
        readOnly={isReadOnly}
      />
      {hasKey && !isReadOnly && (
        <Checkbox
          size="xs"
          label={`Remove stored ${what}`}
          checked={draft.removesKey}
          onChange={({ currentTarget }) => onChange({ removesKey: currentTarget.checked, apiKey: '' })}
        />
      )}
    </Stack>
  )
}

const offline = 'offline'

function SpeaksFor({ draft, saved, errors, isReadOnly, onChange }: ConnectionFieldsProps) {
  const others = (useConnectionDirectory().data ?? []).filter(
    ({ id, kind }) => kind !== 'embedded' && id !== saved?.id,
  )
  return (
    <Select
      label="Text model connection"
      description="Provides the text model. The built-in engine handles speech."
      data={[
        { value: offline, label: 'Built-in offline model' },
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={draft.chatConnectionId ?? offline}
      onChange={(id) => onChange({ chatConnectionId: id === offline ? null : id })}
      allowDeselect={false}
      error={errors.chatConnectionId}
      readOnly={isReadOnly}
    />
  )
}

const automatic = 'automatic'

function RealtimeProtocol({ draft, errors, isReadOnly, onChange }: ConnectionFieldsProps) {
  return (
    <Select
      label="Realtime protocol"
      description="GPT-Live also needs a text model, which answers and calls tools."
      data={[
        { value: automatic, label: 'By model name' },
        { value: 'realtime', label: 'Realtime' },
        { value: 'live', label: 'GPT-Live' },
      ]}
      value={draft.realtimeProtocol ?? automatic}
      onChange={(value) =>
        onChange({ realtimeProtocol: value === 'live' || value === 'realtime' ? value : null })
      }
      allowDeselect={false}
      error={errors.realtimeProtocol}
      readOnly={isReadOnly}
    />
  )
}

function ModelNames({ draft, errors, isReadOnly, onChange }: ConnectionFieldsProps) {
  const { hasVoice, chatExample } = connectionKinds[draft.kind]
  const text = (name: 'chat' | 'transcription' | 'speech') => ({
    value: draft[name],
    error: errors[`models.${name}`],
    readOnly: isReadOnly,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ [name]: currentTarget.value }),
  })
  return (
    <>
      <TextInput
        label="Text model"
        description="Default for agents without a text model."
        placeholder={chatExample}
        {...text('chat')}
      />
      {hasVoice && (
        <>
          <TagsInput
            label="Realtime models"
            description="The default first, each followed by Enter. Leave empty for the service’s default."
            value={draft.realtime}
            onChange={(realtime) => onChange({ realtime })}
            error={Object.entries(errors).find(([path]) => path.startsWith('models.realtime'))?.[1]}
            readOnly={isReadOnly}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Transcription model"
              description="Transcribes user speech."
              {...text('transcription')}
            />
            <TextInput label="Speech model" description="Generates speech." {...text('speech')} />
          </SimpleGrid>
        </>
      )}
    </>
  )
}
