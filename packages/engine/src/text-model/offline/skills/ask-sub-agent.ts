import { call, type OfflineStep, type Question } from '../question.js'
import { isSubAgent, subAgentName } from '../tool-kind.js'

/** "Ask the shop: where is my order?" goes to the shop, without the words that only say to whom. */
export function askSubAgent({ words, tools, choice }: Question): OfflineStep | null {
  if (choice !== 'auto') return null
  const named = tools.filter(isSubAgent).map((tool) => ({ tool, name: subAgentName(tool) }))
  // The longest first: "shop support" is not "shop".
  for (const { tool, name } of named.sort((a, b) => b.name.length - a.name.length)) {
    const question = questionTo(name, words)
    if (question !== null) return call(tool, { question })
  }
  return null
}

function questionTo(name: string, words: string): string | null {
  const who = `(?:the |our |your )?(?:agent |team |department |people (?:at|from|in) )?${name.replaceAll(' ', String.raw`[\s_-]+`)}(?: agent| team| department)?`
  // "Have the shop people called?" asks for something else.
  const letting = /\?\s*$/.test(words) ? '' : '|let|have'
  const addressed = new RegExp(
    String.raw`^\W*(?:(?:please|hello|hi|hey|ok|okay|can you|could you|would you|will you|i want you to|i'd like you to)\W+)*(?:ask|tell|check with|find out from|consult|inquire with|go and ask${letting})\s+${who}\b\s*[:,-]?\s*(.*)$`,
    'is',
  ).exec(words)
  const rest = addressed?.[1]?.replace(/^(?:please\s+)?(?:to (?=\w)|that |for (?:me )?)/i, '').trim()
  if (rest === undefined || rest === '') return null
  return /^(?:if|whether)\b/i.test(rest) ? `Please find out ${rest}` : rest
}
