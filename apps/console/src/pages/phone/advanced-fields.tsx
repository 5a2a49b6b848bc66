import { Accordion, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type DraftFields, textFieldOf } from '../../data/text-field-of'
import type { PhoneConnectionDraft } from './phone-connection-draft'
import { phoneConnectionKinds } from './phone-connection-kinds'
import { newSip } from './sip-draft'
import { AdvancedSipFields } from './sip-fields'

const names = [
  ...['baseUrl', 'sip.domain', 'sip.loginName', 'sip.callerId', 'sip.numberFormat', 'sip.localPort'],
  'sip.publicAddress',
]

/** Rarely needed fields, folded unless they have a value or an error. */
export function AdvancedFields(props: DraftFields<PhoneConnectionDraft>) {
  const { draft, errors } = props
  const { kind, baseUrl, domain, loginName, callerId, numberFormat, localPort, publicAddress } = draft
  const text = textFieldOf(props)
  const [isOpen, setOpen] = useState(
    [baseUrl, domain, loginName, localPort, publicAddress].some((value) => value !== '') ||
      callerId !== newSip.callerId ||
      numberFormat !== newSip.numberFormat,
  )
  const defaultUrl = phoneConnectionKinds[kind].baseUrl
  if (kind !== 'sip' && defaultUrl === undefined) return null
  const hasError = names.some((name) => errors[name] !== undefined)
  return (
    // Without a transition, the first error can have the focus immediately.
    <Accordion
      variant="contained"
      transitionDuration={0}
      value={isOpen || hasError ? 'advanced' : null}
      onChange={(value) => setOpen(value !== null)}
    >
      <Accordion.Item value="advanced">
        <Accordion.Control>
          <Text size="sm">Advanced settings</Text>
        </Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {kind === 'sip' && <AdvancedSipFields {...props} />}
            {defaultUrl !== undefined && (
              <TextInput
                label="Base URL"
                description="Leave empty for the provider’s default."
                placeholder={defaultUrl}
                {...text('baseUrl')}
              />
            )}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
