import type { ModelTool } from '../../text-model.js'
import { fillArguments, missingParameter } from '../fill-arguments.js'
import { parametersOf } from '../parameter.js'
import { call, type OfflineStep, type Question, say } from '../question.js'
import { plainWords } from '../talk-patterns.js'
import { isSubAgent, reachesPeople, subAgentName } from '../tool-kind.js'
import { readUtterance } from '../utterance.js'

const role =
  '(?:human(?: being)?|(?:real |actual |live |living |other )?person|(?:real|actual|living) people|operator|representative|rep|agent|manager|supervisor|boss|staff(?: member)?|member of (?:the |your )?staff|employee|colleague|receptionist|adviser|advisor|human agent|live agent|real agent|customer (?:service|support|care)|support(?: team| agent)?|help ?desk|hotline|team)'
const contact = `(?:speak|talk|chat|get|connect|transfer|put|want|need|reach|pass|call|give|contact|switch|like|prefer|rather|see|bring|fetch|find|hand|forward|escalate|wish)`
const wanted: readonly RegExp[] = [
  new RegExp(String.raw`\b${contact}\b.*\b(?:an? |the |some |your |real |actual )*${role}\b`),
  /\b(?:speak|talk|chat|connect|transfer|put|pass|hand)\b.*\b(?:to|with|through|over|on to)\b.*\b(?:someone|somebody|anyone|anybody|a man|a woman|a guy)\b/,
  new RegExp(`^(?:an? |the |real |live )*${role}(?: now| here)?$`),
  /\b(?:is there|are there|do you have) (?:an?y? |some |real )*(?:human|real person|person|people|operator|someone|somebody|anyone|anybody|representative|employee)\b.*\b(?:talk|speak|available|help|call|there)\b/,
]
/** What is about a person and not for one. */
const beside =
  /\b(?:are you|who invented|who is the|what is an?|how many|email|mail|create|task|ticket|remind|message to|for \w+ (?:people|persons?|guests?)|to (?:fix|repair|clean|do|build|make|paint|install))\b/

/** Somebody wants a person: brings one where a tool or a sub-agent does that, and says so where none does. */
export function reachPerson({ words, tools, clock, choice }: Question): OfflineStep | null {
  if (choice !== 'auto' && choice !== 'none') return null
  const plain = plainWords(words)
  if (beside.test(plain) || !wanted.some((pattern) => pattern.test(plain))) return null
  const named = tools.find((one) => isSubAgent(one) && plain.includes(subAgentName(one)))
  const tool = named ?? tools.find(reachesPeople)
  if (tool !== undefined) return call(tool, argumentsFor(tool, words, clock))
  const task = tools.find(({ name }) => /task|ticket|callback/i.test(name))
  const offer =
    task === undefined
      ? ''
      : ' I can write down for somebody to call you back: ask me to create a task for that.'
  return say(`I cannot put you through to a person.${offer}`)
}

/** Nobody who asks for a person is asked for more: what is needed in words is what they said. */
function argumentsFor(tool: ModelTool, words: string, clock: Question['clock']) {
  const filled = fillArguments(tool, readUtterance(words, clock))
  const missing = missingParameter(tool, filled)
  const isFree = missing !== null && parametersOf(tool).length > 0
  return isFree ? { ...filled, [missing.name]: words.trim() } : filled
}
