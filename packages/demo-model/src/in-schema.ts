import { fillArguments } from './fill-arguments.js'
import type { Utterance } from './moments.js'
import { parametersOf } from './parameters.js'
import { wordsOf } from './words.js'

/** Puts an answer into the form of a JSON schema, or says which required property it cannot fill. */
export function inSchema(
  parameters: Readonly<Record<string, unknown>>,
  answer: string,
  said: Utterance,
): string {
  const form = { name: 'answer', description: '', parameters }
  const filled: Record<string, unknown> = { ...fillArguments(form, said) }
  const words = wordsOf(said.text)
  for (const { name, kind, nameWords, isRequired, choices } of parametersOf(form)) {
    if (!isRequired || filled[name] !== undefined) continue
    if (kind === 'flag') filled[name] = nameWords.some((word) => words.includes(word))
    else if (kind === 'list')
      filled[name] = choices.filter((choice) => wordsOf(choice).every((word) => words.includes(word)))
    else if (kind === 'words' || kind === 'query' || kind === 'other') filled[name] = answer
    else return `I am only a demo and cannot fill in ${name}. Connect a real model.`
  }
  return JSON.stringify(filled)
}
