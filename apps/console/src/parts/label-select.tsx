import { Select, type SelectProps } from '@mantine/core'

/** The labels of a field's values, or objects with the labels. */
export type Labels<Value extends string> = Readonly<Record<Value, string | { readonly label: string }>>

interface LabelSelectProps<Value extends string> extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly labels: Labels<Value>
  readonly value: Value | null | undefined
  /** Called with null only if the field is clearable. */
  readonly onChange: (value: Value | null) => void
}

/** A selection of one of several known values. */
export function LabelSelect<Value extends string>(props: LabelSelectProps<Value>) {
  const { labels, value = null, onChange, clearable = false, ...rest } = props
  return (
    <Select
      {...rest}
      data={Object.entries<Labels<Value>[Value]>(labels).map(([each, entry]) => ({
        value: each,
        label: typeof entry === 'string' ? entry : entry.label,
      }))}
      clearable={clearable}
      allowDeselect={clearable}
      value={value}
      onChange={(next) => {
        const known = valueIn(labels, next ?? undefined)
        if (clearable || known !== undefined) onChange(known ?? null)
      }}
    />
  )
}

/** Returns the value if the labels contain it, or undefined. */
export function valueIn<Value extends string>(
  labels: Labels<Value>,
  value: string | undefined,
): Value | undefined {
  return value !== undefined && Object.hasOwn(labels, value) ? (value as Value) : undefined
}
