import { type Fact, findAnsweredFact, findFact } from '../facts.js'
import { answerFromFiles } from '../file-answers.js'
import type { Question } from '../question.js'
import { readRequest } from '../request.js'
import { wordsOf } from '../words.js'

/** A sentence that answers: of the system message, of a file, or of what was said before. */
export async function findKnown(question: Question, hasTool: boolean): Promise<Fact | null> {
  const { embedder, words, systemMessage, earlier, passages } = question
  const { kind } = readRequest(words)
  // One word alone asks for nothing.
  if (kind === 'statement' || (kind === 'phrase' && wordsOf(words).length < 2)) return null
  const known = await findFact(embedder, words, systemMessage, earlier)
  const read = await answerFromFiles(embedder, words, passages)
  if (known !== null && known.score >= (read?.score ?? 0)) return known
  return read ?? (hasTool ? null : findAnsweredFact(embedder, words, earlier))
}
