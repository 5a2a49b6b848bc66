import { Checkbox, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { type DraftFields, textFieldOf } from '../../data/text-field-of'
import { usePhoneConnectionDirectory } from '../../data/use-directory'
import { AgentSelect } from '../../parts/agent-select'
import { LabelSelect } from '../../parts/label-select'
import { NumberField } from '../../parts/number-field'
import { type EditedRow, RemoveRow, RowField } from '../../parts/row-field'
import { NumberListField } from './number-list-field'
import type { PhoneNumberDraft, TransferTarget } from './phone-number-draft'

type PhoneNumberFieldsProps = DraftFields<PhoneNumberDraft>

export function PhoneNumberFields(props: PhoneNumberFieldsProps) {
  const { draft, errors, isReadOnly = false, onChange } = props
  const text = textFieldOf(props)
  const connections = usePhoneConnectionDirectory().data ?? []
  return (
    <Stack>
      <TextInput label="Name" required maxLength={200} data-autofocus {...text('name')} />
      <TextInput
        label="Number"
        description="In international format."
        placeholder="+4930123456"
        required
        type="tel"
        autoComplete="off"
        {...text('number')}
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
        readOnly={isReadOnly}
      />
      <Textarea
        label="Greeting"
        description="The first words on the phone. Leave empty for the agent’s first message."
        placeholder="Hotel Aurora, good day. How can I help you?"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        {...text('greeting')}
      />
      <TextInput
        label="Language"
        description="Of the transcription and the service’s sentences, such as de or en-GB. Leave empty to detect it."
        placeholder="en-GB"
        maxLength={35}
        autoComplete="off"
        spellCheck={false}
        {...text('language')}
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

const detections = {
  semantic_vad: 'After a finished sentence',
  server_vad: 'After a silence',
} as const

const eagernesses = { low: 'Late', medium: 'Medium', high: 'Soon', auto: 'Automatic' } as const

function TurnDetection({ draft, errors, isReadOnly = false, onChange }: PhoneNumberFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <LabelSelect
        label="The agent answers"
        labels={detections}
        value={draft.detection}
        onChange={(detection) => detection !== null && onChange({ detection })}
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
        <LabelSelect
          label="Unfinished sentences"
          labels={eagernesses}
          value={draft.eagerness}
          onChange={(eagerness) => eagerness !== null && onChange({ eagerness })}
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
