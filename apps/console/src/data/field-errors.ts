/** Returns the error of the URL of a provider's API, or undefined. */
export const baseUrlError = (text: string) =>
  text.trim() === '' || /^https?:\/\/[^\s?#]+$/.test(text.trim())
    ? undefined
    : 'Must be an http or https URL without a query'

/** Returns the error of a password or key in one line, or undefined. */
export const secretError = (text: string) =>
  /[^\x21-\x7e]/.test(text) ? 'Must contain only printable characters, without spaces' : undefined

/** Removes the fields without an error. */
export const onlyErrors = (errors: Readonly<Record<string, string | false | undefined>>) =>
  Object.fromEntries(
    Object.entries(errors).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
