import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { type DraftFields, textFieldOf } from '../../data/text-field-of'
import { LabelSelect } from '../../parts/label-select'
import { NumberField } from '../../parts/number-field'
import type { SipDraft } from './sip-draft'

type SipFieldsProps = DraftFields<SipDraft>

const transports = { udp: 'UDP', tcp: 'TCP', tls: 'TLS' } as const
const callerIds = {
  from: 'From',
  p_preferred_identity: 'P-Preferred-Identity',
  p_asserted_identity: 'P-Asserted-Identity',
} as const
const numberFormats = { plus: '+4930123456', zeros: '004930123456', digits: '4930123456' } as const
const encryptions = { off: 'Off', offered: 'If both sides support it', required: 'Required' } as const

/** The server of the SIP account, and how the service connects to it. */
export function SipFields(props: SipFieldsProps) {
  const { draft, errors, isReadOnly = false, onChange } = props
  const text = textFieldOf(props)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Host"
          description="The registrar of the provider."
          placeholder="sip.example.com"
          required
          maxLength={255}
          autoComplete="off"
          {...text('host', 'sip.host')}
        />
        <NumberField
          label="Port"
          description="Usually empty."
          placeholder={draft.transport === 'tls' ? '5061' : '5060'}
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
          value={draft.port}
          onChange={(port) => onChange({ port })}
          error={errors['sip.port']}
          readOnly={isReadOnly}
        />
        <LabelSelect
          label="Transport"
          description="TLS, if the provider supports it."
          labels={transports}
          value={draft.transport}
          onChange={(transport) => transport !== null && onChange({ transport })}
          error={errors['sip.transport']}
          readOnly={isReadOnly}
        />
        <LabelSelect
          label="Audio encryption"
          description={
            draft.encryption === 'off' || draft.transport === 'tls'
              ? 'SRTP. Secret only with TLS.'
              : 'Without TLS, others can read the keys.'
          }
          labels={encryptions}
          value={draft.encryption}
          onChange={(encryption) => encryption !== null && onChange({ encryption })}
          error={errors['sip.encryption']}
          readOnly={isReadOnly}
        />
      </SimpleGrid>
      <Checkbox
        label="Register with the host"
        description="If not, the host must know the address of this service."
        checked={draft.registers}
        onChange={({ currentTarget }) => onChange({ registers: currentTarget.checked })}
        error={errors['sip.registers']}
        disabled={isReadOnly}
      />
    </>
  )
}

/** Rarely needed fields. */
export function AdvancedSipFields(props: SipFieldsProps) {
  const { draft, errors, isReadOnly = false, onChange } = props
  const text = textFieldOf(props)
  return (
    <>
      <TextInput
        label="Domain"
        description="The part of addresses after the @. Leave empty for the host."
        placeholder="example.com"
        maxLength={255}
        {...text('domain', 'sip.domain')}
      />
      <TextInput
        label="Login name"
        description="Leave empty if it is the user name."
        maxLength={200}
        autoComplete="off"
        {...text('loginName', 'sip.loginName')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <LabelSelect
          label="Caller ID"
          description="The SIP header with the number that outgoing calls show."
          labels={callerIds}
          value={draft.callerId}
          onChange={(callerId) => callerId !== null && onChange({ callerId })}
          error={errors['sip.callerId']}
          readOnly={isReadOnly}
        />
        <LabelSelect
          label="Number format"
          description="How numbers are sent to the provider."
          labels={numberFormats}
          value={draft.numberFormat}
          onChange={(numberFormat) => numberFormat !== null && onChange({ numberFormat })}
          error={errors['sip.numberFormat']}
          readOnly={isReadOnly}
        />
      </SimpleGrid>
      <NumberField
        label="Local port"
        description="The port that the host calls, if the service does not register. Leave empty for any port."
        placeholder="5080"
        min={1024}
        max={65_535}
        allowDecimal={false}
        hideControls
        clampBehavior="none"
        value={draft.localPort}
        onChange={(localPort) => onChange({ localPort })}
        error={errors['sip.localPort']}
        readOnly={isReadOnly}
      />
      <TextInput
        label="Public address"
        description="The IPv4 address for audio. Only if the router forwards the audio ports to the service."
        placeholder="203.0.113.7"
        {...text('publicAddress', 'sip.publicAddress')}
      />
    </>
  )
}
