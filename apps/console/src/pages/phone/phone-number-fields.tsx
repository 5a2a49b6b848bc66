import { Checkbox, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { usePhoneConnectionDirectory } from '../../data/use-directory'
import { AgentSelect } from '../../parts/agent-select'
import { NumberField } from '../../parts/number-field'
import { type EditedRow, RemoveRow, RowField } from '../../parts/row-field'
import { NumberListField } from './number-list-field'
import type { Eagerness, PhoneNumberDraft, TransferTarget } from './phone-number-draft'

interface PhoneNumberFieldsProps {
  readonly draft: PhoneNumberDraft
  readonly errors: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly onChange: (fields: Partial<PhoneNumberDraft>) => void
}

export function PhoneNumberFields(props: PhoneNumberFieldsProps) {
  const { draft, errors, isReadOnly, onChange } = props
  const connections = usePhoneConnectionDirectory().data ?? []
  return (
    <Stack>
      <TextInput
        label="Name"
        required
        maxLength={200}
        data-autofocus
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        error={errors.name}
        readOnly={isReadOnly}
      />
      <TextInput
        label="Number"
        description="In international format."
        placeholder="+4930123456"
        required
        type="tel"
        autoComplete="off"
        value={draft.number}
        onChange={({ currentTarget }) => onChange({ number: currentTarget.value })}
        error={errors.number}
        readOnly={isReadOnly}
      />
      <Select
        label="Phone connection"
        description="The account that the number belongs to. Calls need one."
        placeholder="None"
        clearable
        searchable
        data={connections.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.phoneConnectionId}
        onChange={(phoneConnectionId) => onChange({ phoneConnectionId })}
        error={errors.phoneConnectionId}
        readOnly={isReadOnly}
        nothingFoundMessage="No phone connections found"
      />
      <AgentSelect
        label="Agent"
        placeholder="None: calls are rejected"
        value={draft.agentId}
        onChange={(agentId) => onChange({ agentId })}
        error={errors.agentId}
      />
      <Textarea
        label="Greeting"
        description="The first words on the phone. Leave empty for the agent’s first message."
        placeholder="Hotel Aurora, good day. How can I help you?"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        value={draft.greeting}
        onChange={({ currentTarget }) => onChange({ greeting: currentTarget.value })}
        error={errors.greeting}
        readOnly={isReadOnly}
      />
      <TurnDetection {...props} />
      <NumberListField
        label="Allowed callers"
        description="The beginnings of numbers, each followed by Enter. If empty, all calls are answered."
        value={draft.allowedCallers}
        onChange={(allowedCallers) => onChange({ allowedCallers })}
        errors={errors}
        name="allowedCallers"
        isReadOnly={isReadOnly}
      />
      <NumberListField
        label="Blocked callers"
        description="The beginnings of numbers whose calls are rejected."
        value={draft.blockedCallers}
        onChange={(blockedCallers) => onChange({ blockedCallers })}
        errors={errors}
        name="blockedCallers"
        isReadOnly={isReadOnly}
      />
      <RowField
        legend="Transfer targets"
        about="The agent can transfer calls to these numbers only. It chooses them by name."
        error={errors.transferTargets}
        isReadOnly={isReadOnly}
        addLabel="Add transfer target"
        rows={draft.transferTargets}
        newRow={{ name: '', number: '' }}
        onRows={(transferTargets) => onChange({ transferTargets })}
      >
        {(edited) => <TargetRow {...edited} errors={errors} />}
      </RowField>
      <Checkbox
        label="Enabled"
        description="If not, calls to the number are rejected and no calls are made from it."
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => onChange({ isEnabled: currentTarget.checked })}
        disabled={isReadOnly}
      />
    </Stack>
  )
}

const detections = [
  { value: 'semantic_vad', label: 'After a finished sentence' },
  { value: 'server_vad', label: 'After a silence' },
]

const eagernesses: readonly { readonly value: Eagerness; readonly label: string }[] = [
  { value: 'low', label: 'Late' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'Soon' },
  { value: 'auto', label: 'Automatic' },
]

function TurnDetection({ draft, errors, isReadOnly, onChange }: PhoneNumberFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="The agent answers"
        data={detections}
        value={draft.detection}
        onChange={(value) => onChange({ detection: value === 'server_vad' ? value : 'semantic_vad' })}
        allowDeselect={false}
        readOnly={isReadOnly}
      />
      {draft.detection === 'server_vad' ? (
        <NumberField
          label="Silence"
          suffix=" ms"
          min={100}
          max={5000}
          step={100}
          allowDecimal={false}
          value={draft.silenceMilliseconds}
          onChange={(silenceMilliseconds) => onChange({ silenceMilliseconds })}
          error={errors.silenceMilliseconds ?? errors['turnDetection.silenceMilliseconds']}
          readOnly={isReadOnly}
        />
      ) : (
        <Select
          label="Unfinished sentences"
          data={eagernesses}
          value={draft.eagerness}
          onChange={(value) => {
            const eagerness = eagernesses.find((each) => each.value === value)?.value
            if (eagerness !== undefined) onChange({ eagerness })
          }}
          allowDeselect={false}
          error={errors['turnDetection.eagerness']}
          readOnly={isReadOnly}
        />
      )}
    </SimpleGrid>
  )
}

interface TargetRowProps extends EditedRow<TransferTarget> {
  readonly errors: Readonly<Record<string, string>>
}

function TargetRow({ row, index, isReadOnly, errors, onChange, onRemove }: TargetRowProps) {
  const path = `transferTargets[${index - 1}]`
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <TextInput
        aria-label={`Transfer target ${index} name`}
        placeholder="Night porter"
        maxLength={100}
        flex={1}
        miw={0}
        value={row.name}
        error={errors[`${path}.name`]}
        readOnly={isReadOnly}
        onChange={({ currentTarget }) => onChange({ ...row, name: currentTarget.value })}
      />
      <TextInput
        aria-label={`Transfer target ${index} number`}
        placeholder="+4930654321"
        type="tel"
        flex={1}
        miw={0}
        value={row.number}
        error={errors[`${path}.number`]}
        readOnly={isReadOnly}
        onChange={({ currentTarget }) => onChange({ ...row, number: currentTarget.value })}
      />
      {!isReadOnly && <RemoveRow label={`Remove transfer target ${index}`} onRemove={onRemove} />}
    </Group>
  )
}
