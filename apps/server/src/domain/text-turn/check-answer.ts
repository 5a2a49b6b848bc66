import { maxResultCharacters } from '@parley/contract'
import type { ArgumentChecker } from '../../ports/tool-executor.js'
import type { CheckedAnswer } from './run-text-turn.js'

interface GivenAnswer {
  readonly organizationId: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Models often put JSON into a code block, although they are told not to. */
const codeBlock = /^```(?:json)?\s*\n([\s\S]*)\n```$/

/** Checks a model's answer against a schema. An answer that matches is returned as compact JSON. */
export async function checkAnswer(
  checker: ArgumentChecker,
  { organizationId, schema, text }: GivenAnswer,
): Promise<CheckedAnswer> {
  const trimmed = text.trim()
  const argumentsText = codeBlock.exec(trimmed)?.[1] ?? trimmed
  if (argumentsText === '') return { ok: false, problem: 'The text is empty.' }
  if (argumentsText.length > maxResultCharacters)
    return { ok: false, problem: `The text is longer than ${maxResultCharacters} characters.` }
  return checker.check({ organizationId, schema, argumentsText })
}
