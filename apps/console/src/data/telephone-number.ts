/** Removes the separators with which people write telephone numbers: `+49 (30) 123-456`. */
export const plainNumber = (text: string) => text.replaceAll(/[\s()./-]/g, '')

/** Returns whether the text is a telephone number in international format. */
export const isNumber = (text: string) => /^\+[1-9]\d{1,14}$/.test(plainNumber(text))

/** Returns whether the text is the beginning of a telephone number in international format. */
const isPrefix = (text: string) => /^\+[1-9]\d{0,14}$/.test(plainNumber(text))

export const numberAdvice = 'Must be a number in international format, such as +4930123456'

const prefixAdvice = 'Must be beginnings of numbers in international format, such as +49'

/** Returns the advice if a text is not the beginning of a number, or undefined. */
export const prefixError = (texts: readonly string[]) => (texts.every(isPrefix) ? undefined : prefixAdvice)
