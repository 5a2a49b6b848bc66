import { NumberInput, type NumberInputProps } from '@mantine/core'

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** An empty string means no value. */
  readonly value: number | ''
  readonly onChange: (value: number | '') => void
}

/** A number or empty. While typing, the field may hold incomplete text. */
export function NumberField({ onChange, ...rest }: NumberFieldProps) {
  return <NumberInput {...rest} onChange={(value) => onChange(value === '' ? '' : Number(value))} />
}
