import { z } from 'zod'
import { accepted, matching, type Parser, refused } from './parser.js'

const minSecretCharacters = 32

export const visibleText = matching(
  /^[!-~]+$/,
  'has white space or characters outside ASCII',
  'visible ASCII characters',
)

export const directory = matching(
  /^\S(.*\S)?$/s,
  'begins or ends with white space',
  'the path of a directory',
)

export const apiKey = matching(
  /^prl_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/,
  'is not in the form of an API key',
  'prl_, 8 letters or digits, _, and 43 letters, digits, _ or -',
)

/** A secret from a file often drags a line break along; another instance given it without would not decrypt. */
export const secret: Parser<string> = {
  accepts: `at least ${minSecretCharacters} characters, no white space at either end`,
  parse: (text) => {
    if (text.trim() !== text) return refused('begins or ends with white space')
    if (text.length < minSecretCharacters) return refused('is too short')
    return accepted(text)
  },
}

/** In lower case, as the database writes it. */
export const uuid: Parser<string> = {
  accepts: 'a UUID',
  parse: (text) =>
    z.uuid().safeParse(text).success ? accepted(text.toLowerCase()) : refused('is not a UUID'),
}
