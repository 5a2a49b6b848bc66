import { specificWords } from '../coverage.js'
import { findQuery } from '../find-words.js'
import { call, type OfflineStep, type Question } from '../question.js'
import { readRequest } from '../request.js'
import { searchesConversation } from '../tool-kind.js'
import { wordsOf } from '../words.js'

/**
 * A question that nothing else answers may stand in the conversation's files. Who was given passages of them has been
 * shown what a search would find.
 */
export function searchFiles({ words, tools, choice, passages, hasPictures }: Question): OfflineStep | null {
  const tool = choice === 'auto' ? tools.find(searchesConversation) : undefined
  if (tool === undefined || passages.length > 0 || hasPictures || !isAsked(words)) return null
  const query = findQuery(words)
  return query === null ? null : call(tool, { query })
}

/** Whether something is to be found out that a file could say. */
function isAsked(words: string): boolean {
  const { kind, acts } = readRequest(words)
  if (specificWords(words).length === 0) return false
  if (/\?\s*$/.test(words) || kind === 'question' || acts.includes('read')) return true
  // One word alone asks for nothing.
  return kind === 'phrase' && wordsOf(words).length > 1
}
