import { Checkbox, Group, PasswordInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'
import { NumberField } from '../../parts/number-field'
import { NumberListField } from './number-list-field'
import type { PhoneConnectionDraft } from './phone-connection-draft'
import { kindOf, kindOptions, phoneConnectionKinds } from './phone-connection-kinds'

interface PhoneConnectionFieldsProps {
  readonly draft: PhoneConnectionDraft
  /** Null for a new phone connection. */
  readonly saved: PhoneConnection | null
  readonly errors: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly onChange: (fields: Partial<PhoneConnectionDraft>) => void
}

export function PhoneConnectionFields(props: PhoneConnectionFieldsProps) {
  const { draft, errors, isReadOnly, onChange } = props
  const text = textFieldOf(props)
  const { about, account, accountExample } = phoneConnectionKinds[draft.kind]
  return (
    <Stack>
      <TextInput label="Name" required maxLength={200} data-autofocus {...text('name')} />
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
      <TextInput
        label={account}
        placeholder={accountExample}
        required
        maxLength={200}
        autoComplete="off"
        {...text('accountId')}
      />
      <SecretField {...props} />
      <NumberListField
        label="Allowed numbers for outgoing calls"
        description="The beginnings of numbers that agents may call, each followed by Enter. If empty, there are no outgoing calls."
        value={draft.allowedPrefixes}
        onChange={(allowedPrefixes) => onChange({ allowedPrefixes })}
        errors={errors}
        name="allowedPrefixes"
        isReadOnly={isReadOnly}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          label="Max concurrent calls"
          min={1}
          max={1000}
          allowDecimal={false}
          value={draft.maxCalls}
          onChange={(maxCalls) => onChange({ maxCalls })}
          error={errors.maxCalls}
          readOnly={isReadOnly}
        />
        <NumberField
          label="Max outgoing calls per hour"
          min={1}
          max={100_000}
          allowDecimal={false}
          value={draft.maxCallsPerHour}
          onChange={(maxCallsPerHour) => onChange({ maxCallsPerHour })}
          error={errors.maxCallsPerHour}
          readOnly={isReadOnly}
        />
      </SimpleGrid>
      <QuietHours {...props} />
      <TextInput
        label="Base URL"
        description="Leave empty for the provider’s default."
        {...text('baseUrl')}
      />
      <Checkbox
        label="Enabled"
        description="If not, incoming calls are rejected and no calls can be made. Active calls continue."
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => onChange({ isEnabled: currentTarget.checked })}
        disabled={isReadOnly}
      />
    </Stack>
  )
}

/** The service deletes the secret if the account or the base URL changes. */
function SecretField({ draft, saved, errors, isReadOnly, onChange }: PhoneConnectionFieldsProps) {
  const { secret } = phoneConnectionKinds[draft.kind]
  const isStored = saved?.hasSecret ?? false
  const isMoved =
    isStored &&
    (draft.accountId.trim() !== saved?.accountId || draft.baseUrl.trim() !== (saved.baseUrl ?? ''))
  const description = isMoved
    ? `The account changed. Enter its ${secret}.`
    : isStored
      ? 'Stored. Enter a new one to replace it.'
      : 'Encrypted and never shown again. Calls need it.'
  return (
    <PasswordInput
      label={secret}
      description={description}
      placeholder={isStored && !isMoved ? '••••••••••••' : ''}
      autoComplete="off"
      value={draft.secret}
      onChange={({ currentTarget }) => onChange({ secret: currentTarget.value })}
      error={errors.secret}
      readOnly={isReadOnly}
    />
  )
}

function QuietHours(props: PhoneConnectionFieldsProps) {
  const { draft, errors, isReadOnly, onChange } = props
  const text = textFieldOf(props)
  return (
    <Stack gap="xs">
      <Checkbox
        label="Quiet hours"
        description="No outgoing calls start between these times. Incoming calls are answered."
        checked={draft.isQuiet}
        onChange={({ currentTarget }) => onChange({ isQuiet: currentTarget.checked })}
        disabled={isReadOnly}
      />
      {draft.isQuiet && (
        <Group align="start">
          <TextInput label="From" type="time" {...text('quietFrom')} error={errors['quietHours.from']} />
          <TextInput label="To" type="time" {...text('quietTo')} error={errors['quietHours.to']} />
          <TextInput
            label="Time zone"
            placeholder="Europe/Berlin"
            maxLength={64}
            flex={1}
            miw="10rem"
            {...text('timeZone')}
            error={errors['quietHours.timeZone']}
          />
        </Group>
      )}
    </Stack>
  )
}

type TextName = 'name' | 'accountId' | 'baseUrl' | 'quietFrom' | 'quietTo' | 'timeZone'

const textFieldOf =
  ({ draft, errors, isReadOnly, onChange }: PhoneConnectionFieldsProps) =>
  (name: TextName) => ({
    value: draft[name],
    error: errors[name],
    readOnly: isReadOnly,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ [name]: currentTarget.value }),
  })
