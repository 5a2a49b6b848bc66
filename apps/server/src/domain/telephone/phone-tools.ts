import type { ClientTool, PhoneNumber } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-stores.js'

type Targets = PhoneNumber['transferTargets']

const hangUp: ClientTool = {
  name: 'hang_up',
  description: 'Ends the telephone call. Say goodbye first.',
  parameters: { type: 'object', properties: {} },
}

const sendDigits: ClientTool = {
  name: 'send_dtmf',
  description:
    'Presses keys of the telephone, for example to choose from the menu of another telephone system.',
  parameters: {
    type: 'object',
    properties: { digits: { type: 'string', description: 'The keys: 0 to 9, * and #.' } },
    required: ['digits'],
  },
}

const transfer = (targets: Targets): ClientTool => ({
  name: 'transfer_call',
  description: 'Transfers the call to a person or department. Announce it first. You leave the call.',
  parameters: {
    type: 'object',
    properties: { target: { type: 'string', enum: targets.map(({ name }) => name) } },
    required: ['target'],
  },
})

const pressForPerson = (targets: Targets): ClientTool => ({
  name: 'press_for_person',
  description:
    'Offers a key to the user. If the user presses it within 30 seconds, the call is transferred to the person or department. Then tell the user which key to press.',
  parameters: {
    type: 'object',
    properties: {
      target: { type: 'string', enum: targets.map(({ name }) => name) },
      key: { type: 'string', description: 'One of the keys 0 to 9, * and #.' },
    },
    required: ['target', 'key'],
  },
})

/** Returns the tools of a call. A tool of the agent with the same name replaces one. */
export function phoneTools({ tools }: Pick<AgentRecord, 'tools'>, targets: Targets): ClientTool[] {
  const offered = [
    ...[hangUp, sendDigits],
    ...(targets.length > 0 ? [transfer(targets), pressForPerson(targets)] : []),
  ]
  return offered.filter(({ name }) => !tools.some((tool) => tool.name === name))
}
