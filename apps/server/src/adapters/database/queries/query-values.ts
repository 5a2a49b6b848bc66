import { is, Param, Placeholder } from 'drizzle-orm'

/** What a statement is given, under the names of its places. */
export type Values = object

/** Puts the values of one execution into the places that a statement has for them. */
export type FillValues = (values: Values) => unknown[]

/** What drizzle finds out at every execution, found out once: which values are given, and how each is written. */
export function makeFillValues(params: readonly unknown[]): FillValues {
  const fills = params.map(fillOf)
  return (values) => fills.map((fill) => fill(values))
}

function fillOf(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => given(values, param.name)
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { encoder } = param
    const { name } = param.value
    return (values) => {
      const value = given(values, name)
      return value === null ? null : encoder.mapToDriverValue(value)
    }
  }
  return () => param
}

function given(values: Values, name: string): unknown {
  const value: unknown = Reflect.get(values, name)
  if (value === undefined) throw new Error(`The statement was given no value for ${name}.`)
  return value
}
