import { Alert, Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { AuditLogHead, AuditLogVerification } from '@parley/sdk'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { CopyField } from '../../parts/copy-field'

/** The head of the chain, to store elsewhere, and verification of the chain against a stored head. */
export function Verification() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconShieldCheck size={16} />} onClick={() => setOpen(true)}>
        Verify
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Verify audit log" size="lg">
        <Check />
      </Modal>
    </>
  )
}

function Check() {
  const { parley } = useConsole()
  const [kept, setKept] = useState('')
  const held = heldHeadOf(kept)
  const head = useQuery({ queryKey: ['AuditLog', 'head'], queryFn: async () => parley.auditLog.readHead() })
  const verify = useChange({
    change: async () => parley.auditLog.verify(held.ok ? held.query : {}),
    changes: [],
  })
  return (
    <Stack>
      {head.data !== undefined && <Head head={head.data} />}
      <TextInput
        label="Saved chain head"
        description="Leave empty to check the chain only."
        placeholder="128 3d9a1f60…"
        value={kept}
        onChange={({ currentTarget }) => setKept(currentTarget.value)}
        error={held.ok ? null : 'Paste the copied head: a number and a hash of 64 digits.'}
      />
      <Button loading={verify.isPending} disabled={!held.ok} onClick={() => verify.mutate(undefined)}>
        Verify now
      </Button>
      {verify.data !== undefined && !verify.isPending && <Found found={verify.data} />}
    </Stack>
  )
}

function Head({ head: { sequence, hash, sealedAt, keyId } }: { readonly head: AuditLogHead }) {
  if (hash === null || sealedAt === null) return <Text size="sm">No sealed records yet.</Text>
  return (
    <div>
      <Text size="sm" fw={600}>
        Chain head
      </Text>
      <CopyField label="head" value={`${sequence} ${hash}`} />
      <Text size="xs" c="dimmed">
        Sealed {new Date(sealedAt).toLocaleString()} with key {keyId}. Store the head outside this service to
        detect missing records later.
      </Text>
    </div>
  )
}

function Found({ found }: { readonly found: AuditLogVerification }) {
  const { valid, checkedCount, unsealedCount, bareThrough, detail } = found
  return (
    <Alert
      color={valid ? 'green' : 'red'}
      title={
        valid
          ? `The chain is intact: ${checkedCount} ${checkedCount === 1 ? 'record' : 'records'}`
          : 'The chain is broken'
      }
      role="status"
    >
      <Text size="sm">{detail}</Text>
      {found.heldHead !== null && <Text size="sm">{headLabels[found.heldHead]}</Text>}
      {unsealedCount > 0 && <Text size="sm">{unsealedCount} records are not sealed yet.</Text>}
      {bareThrough > 0 && <Text size="sm">Records up to {bareThrough} were sealed without a key.</Text>}
    </Alert>
  )
}

const headLabels: Readonly<Record<NonNullable<AuditLogVerification['heldHead']>, string>> = {
  contained: 'The saved head is in the chain.',
  missing: 'The saved head is not in the chain.',
  removed: 'The saved head is older than the retained log.',
}

type HeldHead =
  | { readonly ok: true; readonly query: { readonly Sequence?: number; readonly Hash?: string } }
  | { readonly ok: false }

/** Parses a head in the format of the copy button. */
function heldHeadOf(text: string): HeldHead {
  if (text.trim() === '') return { ok: true, query: {} }
  const [, sequence, hash] = /^\s*([1-9]\d{0,14})\s+([0-9a-f]{64})\s*$/.exec(text) ?? []
  return sequence === undefined || hash === undefined
    ? { ok: false }
    : { ok: true, query: { Sequence: Number(sequence), Hash: hash } }
}
