import { maxResultCharacters } from '@parley/contract'
import type { ArgumentChecker } from '../../ports/tool-executor.js'
import type { AnswerFormat } from './run-text-turn.js'

type Schema = Readonly<Record<string, unknown>>

/** Models often put JSON into a code block, although the instructions forbid it. */
const codeBlock = /^```(?:json)?\s*\n([\s\S]*)\n```$/

/** The format of answers that match a schema. They are stored as compact JSON. */
export function jsonFormat(checker: ArgumentChecker, organizationId: string, schema: Schema): AnswerFormat {
  return {
    schema,
    async check(text) {
      const trimmed = text.trim()
      const argumentsText = codeBlock.exec(trimmed)?.[1] ?? trimmed
      if (argumentsText === '') return { ok: false, problem: 'The text is empty.' }
      if (argumentsText.length > maxResultCharacters)
        return { ok: false, problem: `The text is longer than ${maxResultCharacters} characters.` }
      return checker.check({ organizationId, schema, argumentsText })
    },
  }
}

/** The part of the instructions that describes the format, because not every provider shows it to the model. */
export function formatInstructions(schema: Schema): string {
  return `Give your final answer as one JSON object that matches this JSON schema, without any other text:\n${JSON.stringify(schema)}`
}
