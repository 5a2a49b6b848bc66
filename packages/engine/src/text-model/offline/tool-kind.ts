import type { ModelTool } from '../text-model.js'
import { parametersOf } from './parameter.js'
import { wordsOf } from './words.js'

/** Another agent that can be asked: it takes a question in words, and what comes back is its answer. */
export function isSubAgent(tool: ModelTool): boolean {
  return /^ask_/i.test(tool.name) && parametersOf(tool).some(({ name }) => name === 'question')
}

/** What somebody calls a sub-agent by. */
export function subAgentName(tool: ModelTool): string {
  return wordsOf(tool.name).slice(1).join(' ')
}

/** Finds passages in the files of the conversation, as the service offers it; other tools search files of their own. */
export function searchesConversation(tool: ModelTool): boolean {
  const [only, ...others] = parametersOf(tool).filter(({ isRequired }) => isRequired)
  return (
    /\bfiles of (?:this|the) conversation\b/i.test(tool.description) &&
    only?.name === 'query' &&
    others.length === 0
  )
}

/** Tells what time it is, here or in a place, and nothing else. */
export function isClockTool(tool: ModelTool): boolean {
  const words = wordsOf(tool.name)
  const isNamedSo = words.some((word) => ['time', 'clock', 'date', 'datetime', 'now'].includes(word))
  return (
    isNamedSo &&
    parametersOf(tool).every(({ isRequired, kind }) => !isRequired || kind === 'zone' || kind === 'place')
  )
}

const contact = /\b(?:connect|transfer|hand|put|escalate|pass|forward|call)(?:s|es)?\b/i
const people =
  /\b(?:person|human|humans|people|staff|operator|colleague|employee|representative|team|somebody|someone)\b/i

/** Brings a person into the conversation. */
export function reachesPeople(tool: ModelTool): boolean {
  const words = wordsOf(tool.name)
  const isNamedSo = words.some((word) =>
    ['human', 'operator', 'staff', 'representative', 'escalate', 'handoff', 'handover', 'person'].includes(
      word,
    ),
  )
  const isDescribedSo = contact.test(tool.description) && people.test(tool.description)
  return (
    isNamedSo ||
    (isDescribedSo && words[0] !== 'create') ||
    (isSubAgent(tool) && people.test(tool.description))
  )
}
