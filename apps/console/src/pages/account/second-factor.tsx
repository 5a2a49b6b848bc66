import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { TotpSetup } from '@parley/sdk'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { CopyField } from '../../parts/copy-field'
import { ErrorNotice } from '../../parts/error-notice'
import { ConfirmAuthenticator } from './confirm-authenticator'

/** Two-factor authentication: off, being set up, or on. Recovery codes are shown once. */
export function SecondFactor() {
  const { person, refresh } = useConsole()
  const [setup, setSetup] = useState<TotpSetup | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null)
    return (
      <RecoveryCodes
        codes={codes}
        onDone={() => {
          setCodes(null)
          void refresh()
        }}
      />
    )
  if (setup !== null)
    return (
      <ConfirmAuthenticator
        setup={setup}
        onCancel={() => setSetup(null)}
        onConfirmed={(confirmed) => {
          setSetup(null)
          setCodes(confirmed)
        }}
      />
    )
  return person.hasTotp ? <SwitchOff /> : <Begin onBegun={setSetup} />
}

function Begin({ onBegun }: { readonly onBegun: (setup: TotpSetup) => void }) {
  const { parley } = useConsole()
  const begin = useChange({
    change: async (password: string) => parley.me.beginTotp({ password }),
    changes: [],
    isErrorShown: true,
    onDone: onBegun,
  })
  return (
    <PasswordProofForm
      about="Sign-in asks for a 6-digit code from your authenticator app after your password."
      action="Set up"
      color="green"
      isBusy={begin.isPending}
      error={begin.error}
      onSubmit={(password) => begin.mutate(password)}
    />
  )
}

function SwitchOff() {
  const { parley, person, refresh } = useConsole()
  const switchOff = useChange({
    change: async (password: string) => parley.me.deleteTotp({ password }),
    changes: [],
    done: 'Two-factor authentication is off.',
    isErrorShown: true,
    onDone: () => void refresh(),
  })
  return (
    <PasswordProofForm
      about={`Enabled. ${person.recoveryCodesLeft} recovery codes left.`}
      action="Turn off"
      color="red"
      isBusy={switchOff.isPending}
      error={switchOff.error}
      onSubmit={(password) => switchOff.mutate(password)}
    />
  )
}

interface PasswordProofFormProps {
  readonly about: string
  readonly action: string
  readonly color: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSubmit: (password: string) => void
}

function PasswordProofForm({ about, action, color, isBusy, error, onSubmit }: PasswordProofFormProps) {
  const form = useForm({ initialValues: { password: '' } })
  return (
    <form onSubmit={form.onSubmit(({ password }) => onSubmit(password))}>
      <Stack>
        <Text size="sm">{about}</Text>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        {error !== null && <ErrorNotice error={error} />}
        <Button type="submit" variant="light" color={color} loading={isBusy} w="fit-content">
          {action}
        </Button>
      </Stack>
    </form>
  )
}

function RecoveryCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[]
  readonly onDone: () => void
}) {
  return (
    <Stack>
      <Alert title="Two-factor authentication is on">
        Store these recovery codes in a safe place. Each code works once. They will not be shown again.
      </Alert>
      <CopyField value={codes.join('\n')} label="recovery codes" />
      <Button onClick={onDone} w="fit-content">
        I have saved them
      </Button>
    </Stack>
  )
}
