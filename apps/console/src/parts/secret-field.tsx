import { PasswordInput, Textarea } from '@mantine/core'

interface SecretFieldProps {
  readonly label: string
  /** Shown while no secret is stored. */
  readonly description?: string | undefined
  readonly isStored: boolean
  /** Set if the service deletes the stored secret, because the account or its address has changed. */
  readonly moved?: string | null
  /** For keys of several lines. They are visible while they are entered. */
  readonly isMultiline?: boolean
  readonly placeholder?: string
  readonly value: string
  readonly error?: string | undefined
  readonly readOnly: boolean
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void
}

/** A write-only field. The service never returns the value. */
export function SecretField(props: SecretFieldProps) {
  const { description = 'Encrypted and never shown again.', isStored, moved = null } = props
  const { isMultiline = false, placeholder = '', ...rest } = props
  const isKept = isStored && moved === null
  const field = {
    label: rest.label,
    value: rest.value,
    error: rest.error,
    readOnly: rest.readOnly,
    onChange: rest.onChange,
    description: moved ?? (isStored ? 'Stored. Enter a new one to replace it.' : description),
    placeholder: isKept ? '••••••••••••' : placeholder,
    autoComplete: 'off',
  }
  if (!isMultiline) return <PasswordInput {...field} />
  return (
    <Textarea
      {...field}
      autosize
      minRows={isKept ? 1 : 4}
      maxRows={8}
      spellCheck={false}
      styles={{
        input: {
          fontFamily: 'var(--mantine-font-family-monospace)',
          fontSize: 'var(--mantine-font-size-xs)',
        },
      }}
    />
  )
}
