import { Checkbox, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { PhoneConnection } from '@parley/sdk'
import { type DraftFields, textFieldOf } from '../../data/text-field-of'
import { LabelSelect } from '../../parts/label-select'
import { NumberField } from '../../parts/number-field'
import { SecretField } from '../../parts/secret-field'
import { AdvancedFields } from './advanced-fields'
import { NumberListField } from './number-list-field'
import { isOtherAccount, type PhoneConnectionDraft } from './phone-connection-draft'
import { phoneConnectionKinds } from './phone-connection-kinds'
import { SipFields } from './sip-fields'

interface PhoneConnectionFieldsProps extends DraftFields<PhoneConnectionDraft> {
  /** Null for a new phone connection. */
  readonly saved: PhoneConnection | null
}

export function PhoneConnectionFields(props: PhoneConnectionFieldsProps) {
  const { draft, saved, errors, isReadOnly = false, onChange } = props
  const text = textFieldOf(props)
  const { about, account, accountExample, isDialing } = phoneConnectionKinds[draft.kind]
  return (
    <Stack>
      <LabelSelect
        label="Kind"
        description={about}
        labels={phoneConnectionKinds}
        value={draft.kind}
        onChange={(kind) => kind !== null && onChange({ kind })}
        data-autofocus={saved === null || undefined}
        error={errors.kind}
        readOnly={isReadOnly}
      />
      <TextInput label="Name" placeholder="Front desk" required maxLength={200} {...text('name')} />
      {draft.kind === 'sip' && <SipFields {...props} />}
      <TextInput
        label={account}
        placeholder={accountExample}
        required
        maxLength={200}
        autoComplete="off"
        {...text('accountId')}
      />
      <SecretFields {...props} />
      {isDialing && (
        <NumberListField
          label="Allowed numbers for outgoing calls"
          description="The beginnings of numbers that agents may call, each followed by Enter. If empty, there are no outgoing calls."
          value={draft.allowedPrefixes}
          onChange={(allowedPrefixes) => onChange({ allowedPrefixes })}
          errors={errors}
          name="allowedPrefixes"
          isReadOnly={isReadOnly}
        />
      )}
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
        {isDialing && (
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
        )}
      </SimpleGrid>
      <Prices {...props} />
      {isDialing && <QuietHours {...props} />}
      <AdvancedFields {...props} />
      <Checkbox
        label="Enabled"
        description={`If not, incoming calls are rejected${isDialing ? ' and no calls can be made' : ''}. Active calls continue.`}
        checked={draft.isEnabled}
        onChange={({ currentTarget }) => onChange({ isEnabled: currentTarget.checked })}
        disabled={isReadOnly}
      />
    </Stack>
  )
}

function SecretFields(props: PhoneConnectionFieldsProps) {
  const { draft, saved } = props
  const text = textFieldOf(props)
  const { secret, isKey = false, webhookSecret } = phoneConnectionKinds[draft.kind]
  const isMoved = saved !== null && isOtherAccount(draft, saved)
  const moved = (isStored: boolean) => (isMoved && isStored ? 'The account changed. Enter it again.' : null)
  return (
    <>
      <SecretField
        label={secret}
        description="Encrypted and never shown again. Calls need it."
        isStored={saved?.hasSecret ?? false}
        moved={moved(saved?.hasSecret ?? false)}
        isMultiline={isKey}
        placeholder={isKey ? '-----BEGIN PRIVATE KEY-----' : ''}
        {...text('secret')}
      />
      {webhookSecret !== undefined && (
        <SecretField
          label={webhookSecret}
          description="Verifies that requests come from the provider. Calls need it."
          isStored={saved?.hasWebhookSecret ?? false}
          moved={moved(saved?.hasWebhookSecret ?? false)}
          {...text('webhookSecret')}
        />
      )}
    </>
  )
}

function Prices({ draft, errors, isReadOnly = false, onChange }: PhoneConnectionFieldsProps) {
  const price = {
    description: 'In US dollars, for usage and budgets.',
    placeholder: 'Unknown',
    prefix: '$ ',
    min: 0,
    max: 1000,
    decimalScale: 6,
    hideControls: true,
    readOnly: isReadOnly,
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NumberField
        label="Price of an incoming minute"
        {...price}
        value={draft.incomingPrice}
        onChange={(incomingPrice) => onChange({ incomingPrice })}
        error={errors['pricePerMinute.incoming']}
      />
      {phoneConnectionKinds[draft.kind].isDialing && (
        <NumberField
          label="Price of an outgoing minute"
          {...price}
          value={draft.outgoingPrice}
          onChange={(outgoingPrice) => onChange({ outgoingPrice })}
          error={errors['pricePerMinute.outgoing']}
        />
      )}
    </SimpleGrid>
  )
}

function QuietHours(props: PhoneConnectionFieldsProps) {
  const { draft, isReadOnly = false, onChange } = props
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
          <TextInput label="From" type="time" {...text('quietFrom', 'quietHours.from')} />
          <TextInput label="To" type="time" {...text('quietTo', 'quietHours.to')} />
          <TextInput
            label="Time zone"
            placeholder="Europe/Berlin"
            maxLength={64}
            flex={1}
            miw="10rem"
            {...text('timeZone', 'quietHours.timeZone')}
          />
        </Group>
      )}
    </Stack>
  )
}
