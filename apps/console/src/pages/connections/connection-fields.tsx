import { Checkbox, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core'
import type { Connection } from '@parley/sdk'
import { type DraftFields, textFieldOf } from '../../data/text-field-of'
import { useConnectionDirectory } from '../../data/use-directory'
import { LabelSelect } from '../../parts/label-select'
import { SecretField } from '../../parts/secret-field'
import { type ConnectionDraft, usesVertex } from './connection-draft'
import { connectionKinds } from './connection-kinds'

interface ConnectionFieldsProps extends DraftFields<ConnectionDraft> {
  readonly saved: Connection | null
}

export function ConnectionFields(props: ConnectionFieldsProps) {
  const { draft, errors, isReadOnly = false, onChange } = props
  const text = textFieldOf(props)
  const { about, address, addressExample, takesKey } = connectionKinds[draft.kind]
  return (
    <Stack>
      <TextInput label="Name" required data-autofocus {...text('name')} />
      <LabelSelect
        label="Provider"
        description={about}
        labels={connectionKinds}
        value={draft.kind}
        onChange={(kind) => kind !== null && onChange({ kind })}
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
          {...text('baseUrl')}
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

function KeyField({ draft, saved, errors, isReadOnly = false, onChange }: ConnectionFieldsProps) {
  const hasKey = saved?.hasApiKey ?? false
  const isMoved = hasKey && draft.baseUrl.trim() !== (saved?.baseUrl ?? '')
  const isVertex = usesVertex(draft)
  const [label, what] = isVertex ? ['Service account key', 'JSON key'] : ['API key', 'API key']
  return (
    <Stack gap="xs">
      <SecretField
        label={label}
        description={isVertex ? 'Paste the whole JSON file. Encrypted and never shown again.' : undefined}
        isStored={hasKey}
        moved={isMoved ? `The base URL changed. Enter the ${what} for the new URL.` : null}
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

function SpeaksFor({ draft, saved, errors, isReadOnly = false, onChange }: ConnectionFieldsProps) {
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

const protocols = { automatic: 'By model name', realtime: 'Realtime', live: 'GPT-Live' } as const

function RealtimeProtocol({ draft, errors, isReadOnly = false, onChange }: ConnectionFieldsProps) {
  return (
    <LabelSelect
      label="Realtime protocol"
      description="GPT-Live also needs a text model, which answers and calls tools."
      labels={protocols}
      value={draft.realtimeProtocol ?? 'automatic'}
      onChange={(value) => onChange({ realtimeProtocol: value === 'automatic' ? null : value })}
      error={errors.realtimeProtocol}
      readOnly={isReadOnly}
    />
  )
}

function ModelNames(props: ConnectionFieldsProps) {
  const { draft, errors, isReadOnly = false, onChange } = props
  const { hasVoice, chatExample } = connectionKinds[draft.kind]
  const text = textFieldOf(props)
  return (
    <>
      <TextInput
        label="Text model"
        description="Default for agents without a text model."
        placeholder={chatExample}
        {...text('chat', 'models.chat')}
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
              {...text('transcription', 'models.transcription')}
            />
            <TextInput
              label="Speech model"
              description="Generates speech."
              {...text('speech', 'models.speech')}
            />
          </SimpleGrid>
        </>
      )}
    </>
  )
}
