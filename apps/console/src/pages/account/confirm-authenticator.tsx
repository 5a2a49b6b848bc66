import { Button, Group, PinInput, Stack, Text } from '@mantine/core'
import type { TotpSetup } from '@parley/sdk'
import { encode } from 'uqr'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { CopyField } from '../../parts/copy-field'
import { ErrorNotice } from '../../parts/error-notice'

interface ConfirmAuthenticatorProps {
  readonly setup: TotpSetup
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void
  readonly onCancel: () => void
}

export function ConfirmAuthenticator({ setup, onConfirmed, onCancel }: ConfirmAuthenticatorProps) {
  const { parley } = useConsole()
  const confirm = useChange({
    change: async (code: string) => parley.me.confirmTotp({ code }),
    changes: ['PersonSession'],
    isErrorShown: true,
    onDone: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  })
  return (
    <Stack>
      <Text size="sm">Scan the QR code with your authenticator app, or enter the secret manually.</Text>
      <QrCode text={setup.uri} />
      <CopyField value={setup.secret} label="secret" />
      <Text size="sm" id="six-digits">
        Enter the 6-digit code:
      </Text>
      <PinInput
        length={6}
        type="number"
        oneTimeCode
        aria-label="6-digit code"
        getInputProps={(index) => ({ 'aria-label': `Digit ${index + 1} of 6` })}
        // After a wrong code, the focus returns so that the next one can be typed.
        key={confirm.isError ? confirm.submittedAt : 'first'}
        autoFocus
        onComplete={(code) => confirm.mutate(code)}
        disabled={confirm.isPending}
      />
      {confirm.error !== null && <ErrorNotice error={confirm.error} />}
      <Group>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

/** The code is dark on light in both themes, because cameras cannot reliably read light on dark. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width="200" height="200" role="img" aria-label="QR code">
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
