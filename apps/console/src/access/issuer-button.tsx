import { Button, Divider } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { makeClient } from '../data/client'
import { ErrorNotice } from '../parts/error-notice'

/** Sign-in through the operator's OIDC issuer, if one is configured. With a token it also accepts the invitation. */
export function IssuerButton({ token }: { readonly token?: string }) {
  const ways = useQuery({ queryKey: ['sign-in-ways'], queryFn: async () => makeClient().me.getWays() })
  const begin = useMutation({
    mutationFn: async () => makeClient().me.beginOidc({ ...(token !== undefined && { token }) }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const oidc = ways.data?.oidc ?? null
  if (oidc === null) return null
  return (
    <>
      <Divider label="or" />
      <Button variant="default" fullWidth loading={begin.isPending} onClick={() => begin.mutate()}>
        Continue with {oidc.name}
      </Button>
      {begin.error !== null && <ErrorNotice error={begin.error} />}
    </>
  )
}
