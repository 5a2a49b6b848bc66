import type { ModelTool } from '../text-model.js'
import { parametersOf } from './parameter.js'
import { wordsOf } from './words.js'

const links =
  'for (?:me|us|him|her|them|somebody|someone) to|for|about|called|titled|named|saying|that says|which says|that|with the title|with title|regarding'

/** What a task, a note or a mail is about: the words after the thing's own name. Null where nothing follows it. */
export function findWords(text: string, tool: ModelTool): string | null {
  const things = wordsOf(tool.name).join('|')
  // "An email to John": what follows is somebody, where the tool knows of people.
  const goesToPeople = parametersOf(tool).some(({ kind }) => kind === 'person' || kind === 'email')
  const allLinks = goesToPeople ? links : `to|${links}`
  const patterns = [
    /\b(?:titled|called|saying|that says|which says|with the title|subject)\s+(.+)/i,
    /\bremind (?:me|us|them|him|her)\s+(?:to|about|that)\s+(.+)/i,
    /\b(?:put|add|write|note)\s+(?:down\s+)?["']?(.+?)["']?\s+(?:on|to|onto|in)\s+(?:my|the|our)\s+(?:\w+\s+)?(?:to-?do(?: list)?|list|tasks|tasklist|notes)\b/i,
    new RegExp(
      String.raw`\b(?:${things}|task|reminder|note|ticket|todo|to-do|message|event|entry|item)(?:\s+(?:${allLinks})\s|\s*:)\s*(.+)`,
      'i',
    ),
    /\b(?:about|regarding)\s+(.+)/i,
    /^(?:please\s+)?(?:note|write down|remember)(?:\s+that)?\s+(.+)/i,
  ]
  for (const pattern of patterns) {
    const found = tidy(pattern.exec(text)?.[1])
    if (found !== null) return found
  }
  // "Add task water the plants": what follows the thing, where it is more than a word.
  const nouns = [...wordsOf(tool.name).slice(1), 'task', 'reminder', 'note'].join('|')
  const order = new RegExp(
    String.raw`^(?:please\s+)?(?:add|create|make|new|put|write|open)\s+(?:an?\s+|new\s+)*(?:${nouns})\s+(\S+\s+\S.*)$`,
    'i',
  )
  const bare = tidy(order.exec(text.trim())?.[1])
  return bare === null || /^(?:to|for|on|at|in|by|with|and|or|please|list)\b/i.test(bare) ? null : bare
}

/** What is to be looked for. Where no word says where it begins, all that was said is the question. */
export function findQuery(text: string): string | null {
  const patterns = [
    /\b(?:search|look|looking|check|browse)\b.*?\b(?:for|about|up|on)\s+(.+)/i,
    /\b(?:about|regarding|called|named)\s+(.+)/i,
    /\b(?:find(?: out(?: if| whether| about)?)?|search|look up|show me|get me)\s+(.+)/i,
  ]
  for (const pattern of patterns) {
    const found = tidy(pattern.exec(text)?.[1])
    if (found !== null)
      return found
        .replace(/\s+(?:in|from|within)\s+(?:my|the|our|all)\s+(?:files?|documents?)$/i, '')
        .replace(
          /^(?:the |an? |all )?(?:passages?|parts?|sections?|sentences?|places?) (?:on|about|regarding) (?=\w)/i,
          '',
        )
  }
  return tidy(text)
}

/** An answer to a question about one thing, without the words around it. */
export function bareAnswer(text: string): string | null {
  return tidy(
    text
      .replace(/^(?:um|uh|well|oh|okay|ok|yes|sure)[,.]?\s+/i, '')
      .replace(
        /^(?:it is|it's|that is|that's|it should be|make it|the \w+(?: \w+)? (?:is|should be)|please (?:use|take)|use|call it|for|in|to|at|on)\s+/i,
        '',
      ),
  )
}

function tidy(found: string | undefined): string | null {
  const words = (found ?? '')
    .replace(/[\s,]+please[.!?]*$/i, '')
    .replace(/["\u201c\u201d]/g, '')
    .replace(/[\s.?!,;:]+$/, '')
    .trim()
  return words === '' ? null : words
}
