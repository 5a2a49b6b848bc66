/** The props that the fields of a form share. */
export interface DraftFields<Draft> {
  readonly draft: Draft
  /** By the API's name of the field. */
  readonly errors: Readonly<Record<string, string>>
  readonly isReadOnly?: boolean
  readonly onChange: (fields: Partial<Draft>) => void
}

type TextName<Draft> = {
  [Name in keyof Draft]: Draft[Name] extends string ? Name : never
}[keyof Draft] &
  string

/**
 * Returns a function that returns the props of a text field. `path` is the API's name of the field, if it has another one.
 */
export const textFieldOf =
  <Draft extends object>({ draft, errors, isReadOnly = false, onChange }: DraftFields<Draft>) =>
  (name: TextName<Draft>, path: string = name) => ({
    value: String(draft[name]),
    error: errors[path],
    readOnly: isReadOnly,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [name]: currentTarget.value } as Partial<Draft>),
  })
