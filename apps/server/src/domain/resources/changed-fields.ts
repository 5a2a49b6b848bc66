import { isDeepStrictEqual } from 'node:util'

const bookkeeping = ['version', 'updatedAt']

/** Which fields differ between two versions of a record, by name alone: values may be secret. */
export function changedFields(before: object, after: object): string[] {
  const values = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([name, value]) => !bookkeeping.includes(name) && !isDeepStrictEqual(values.get(name), value))
    .map(([name]) => name)
}

/** A resource after a change, with the names of the fields that the change has changed. */
export type Changed<Resource> = Resource & { readonly changed?: readonly string[] }
