import { Button, Textarea, TextInput } from '@mantine/core'
import type { CallRequest, PhoneCall } from '@parley/sdk'
import { IconPhoneOutgoing } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { isNumber, numberAdvice, plainNumber } from '../../data/telephone-number'
import { type AgentVariable, missingVariables } from '../../data/template-variables'
import { textFieldOf } from '../../data/text-field-of'
import { useAgentDirectory } from '../../data/use-directory'
import { useDraftForm } from '../../data/use-draft-form'
import { AgentSelect } from '../../parts/agent-select'
import { FormDrawer } from '../../parts/form-drawer'
import { LabelSelect } from '../../parts/label-select'
import { CallingNumberSelect } from '../phone/calling-number-select'
import { type CallingNumber, useCallingNumbers } from '../phone/use-calling-numbers'

/** Makes an outgoing call. Shown if there is a number whose phone connection allows calls. */
export function NewCall({ agentId = null }: { readonly agentId?: string | null }) {
  const { may } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const numbers = useCallingNumbers()
  if (!may('call:make') || numbers.length === 0) return null
  return (
    <>
      <Button
        variant={agentId === null ? 'filled' : 'default'}
        leftSection={<IconPhoneOutgoing size={16} />}
        onClick={() => setOpen(true)}
      >
        {agentId === null ? 'New call' : 'Call'}
      </Button>
      {isOpen && <NewCallDrawer agentId={agentId} numbers={numbers} onClose={() => setOpen(false)} />}
    </>
  )
}

const voicemailLabels = {
  talk: 'The agent talks as to a person',
  leave_message: 'The agent leaves a message',
  hang_up: 'The agent hangs up',
} as const

interface CallDraft {
  readonly agentId: string | null
  readonly to: string
  readonly from: string | null
  readonly greeting: string
  readonly additionalInstructions: string
  readonly voicemail: keyof typeof voicemailLabels
  readonly externalUserId: string
  readonly variables: Readonly<Record<string, string>>
}

interface NewCallDrawerProps {
  /** Null if the user chooses the agent. */
  readonly agentId: string | null
  readonly numbers: readonly CallingNumber[]
  readonly onClose: () => void
}

function NewCallDrawer({ agentId, numbers, onClose }: NewCallDrawerProps) {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const agents = useAgentDirectory().data ?? []
  const variablesOf = (id: string | null) => agents.find((agent) => agent.id === id)?.variables ?? []
  const detectsVoicemail = (from: string | null) =>
    numbers.some((each) => each.number === from && each.detectsVoicemail)
  const first = numbers.find((number) => number.agentId === agentId) ?? numbers[0]
  const start: CallDraft = {
    agentId,
    to: '',
    from: first?.number ?? null,
    greeting: '',
    additionalInstructions: '',
    voicemail: 'talk',
    externalUserId: '',
    variables: {},
  }
  const { fields, drawer } = useDraftForm<CallDraft, PhoneCall>({
    start,
    errorsIn: (draft) => validateDraft(draft, variablesOf(draft.agentId)),
    save: async (draft) =>
      parley.phoneCalls.makeCall(draft.agentId ?? '', requestOf(draft, detectsVoicemail(draft.from))),
    resource: 'PhoneCall',
    done: ({ to }) => `Calling ${plainNumber(to)}.`,
    onDone: ({ id }) => {
      onClose()
      void navigate({ to: '/calls/$phoneCallId', params: { phoneCallId: id }, ignoreBlocker: true })
    },
  })
  const { draft, errors, onChange } = fields
  const text = textFieldOf(fields)
  return (
    <FormDrawer {...drawer} title="New call" action="Call" onClose={onClose}>
      {agentId === null && (
        <AgentSelect
          label="Agent"
          placeholder="The agent that speaks"
          value={draft.agentId}
          onChange={(id) => onChange({ agentId: id, variables: {} })}
          error={errors.agentId}
        />
      )}
      <TextInput
        label="To"
        description="In international format."
        placeholder="+4930654321"
        required
        type="tel"
        autoComplete="off"
        data-autofocus
        {...text('to')}
      />
      <CallingNumberSelect value={draft.from} onChange={(from) => onChange({ from })} error={errors.from} />
      <Textarea
        label="Greeting"
        description="The first words when the call is answered. Leave empty for the greeting of the phone number."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        {...text('greeting')}
      />
      <Textarea
        label="Additional instructions"
        description="For this call only."
        placeholder="Confirm the arrival time of the booking."
        autosize
        minRows={2}
        maxRows={12}
        maxLength={100_000}
        {...text('additionalInstructions')}
      />
      {detectsVoicemail(draft.from) && (
        <LabelSelect
          label="If a voicemail answers"
          labels={voicemailLabels}
          value={draft.voicemail}
          onChange={(voicemail) => voicemail !== null && onChange({ voicemail })}
          error={errors.voicemail}
        />
      )}
      <TextInput
        label="External user ID"
        description="Optional. Your own ID of the end user."
        maxLength={200}
        {...text('externalUserId')}
      />
      {variablesOf(draft.agentId).map((variable) => (
        <TextInput
          key={variable.name}
          label={variable.name}
          description={variable.description}
          placeholder={variable.default ?? ''}
          required={variable.required && variable.default === null}
          maxLength={4096}
          value={draft.variables[variable.name] ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ variables: { ...draft.variables, [variable.name]: currentTarget.value } })
          }
          error={errors[`variables.${variable.name}`]}
        />
      ))}
    </FormDrawer>
  )
}

function requestOf(
  { to, from, variables, voicemail, ...draft }: CallDraft,
  detectsVoicemail: boolean,
): CallRequest {
  const externalUserId = draft.externalUserId.trim()
  const given = Object.entries(variables).filter(([, value]) => value !== '')
  return {
    to: plainNumber(to),
    from: from ?? '',
    greeting: draft.greeting.trim() || null,
    additionalInstructions: draft.additionalInstructions.trim() || null,
    ...(detectsVoicemail && { voicemail }),
    ...(externalUserId !== '' && { externalUserId }),
    ...(given.length > 0 && { variables: Object.fromEntries(given) }),
  }
}

function validateDraft(
  { agentId, to, variables }: CallDraft,
  declared: readonly AgentVariable[],
): Readonly<Record<string, string>> {
  const missing = missingVariables(declared, variables)
  return {
    ...(agentId === null && { agentId: 'Agent is required' }),
    ...(!isNumber(to) && { to: numberAdvice }),
    ...Object.fromEntries(missing.map(({ name }) => [`variables.${name}`, `${name} is required`])),
  }
}
