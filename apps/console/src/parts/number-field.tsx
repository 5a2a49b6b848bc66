import { NumberInput, type NumberInputProps } from '@mantine/core'

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** Empty while nothing is written. */
  readonly value: number | ''
  readonly onChange: (value: number | '') => void
}

/** A number, or nothing: the field it is written in may hold text on its way to be one. */
export function NumberField({ onChange, ...rest }: NumberFieldProps) {
  return <NumberInput {...rest} onChange={(value) => onChange(value === '' ? '' : Number(value))} />
}
