/** Words that common passwords repeat, or extend by digits and symbols. */
const words = [
  'password passwords passwort passwd pass welcome willkommen hello hallo letmein login access',
  'admin administrator root user guest test testing default changeme secret master parley company',
  'computer internet google facebook samsung iloveyou princess sunshine football baseball basketball',
  'superman batman starwars pokemon dragon monkey shadow michael jennifer jessica charlie liverpool',
  'chelsea freedom whatever trustno spring summer fall autumn winter sommer herbst',
]
const wordPattern = new RegExp(`^(${words.join(' ').replaceAll(' ', '|')})\\1*$`)

/** Keyboard rows and columns, and the letters between the digits of `1q2w3e4r5t`. */
const keyPattern =
  /^(?:qwer|qwert|qwerty|qwertz|azerty|uiop|asdf|asdfg|asdfgh|ghjkl|zxcv|zxcvb|qwe|asd|zxc|abc|abcd|qaz|wsx|edc|zaq|a)+$/

const sequences = [
  '01234567890123456789',
  '12345678910',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
]

const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const minDistinctCharacters = 5

/** Whether the password is one of those that attackers try first. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  const letters = text.replaceAll(/[^\p{L}]/gu, '')
  const core = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const spelledOut = core.replaceAll(/[0-9@$!]/g, (sign) => lookalikes[sign] ?? sign)
  return (
    new Set(text).size < minDistinctCharacters ||
    keyPattern.test(letters) ||
    [letters, spelledOut].some((word) => wordPattern.test(word)) ||
    isSequence(text)
  )
}

/** Whether the text is a run of keys or digits, forward or backward. */
function isSequence(text: string): boolean {
  const backward = [...text].toReversed().join('')
  return sequences.some((sequence) => sequence.includes(text) || sequence.includes(backward))
}
