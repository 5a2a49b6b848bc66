import { type SQL, sql } from 'drizzle-orm'

/** The telephone numbers of an end user: the external ID, if it is one, and the number in the metadata. */
const numbersOf = (endUser: SQL) => sql`(${endUser}.external_id, ${endUser}.metadata ->> 'phoneNumber')`

/** The outgoing calls to the end user's numbers. */
export function callsTo(endUser: 'end_user' | 'called'): SQL {
  const called = sql.identifier(endUser)
  return sql`phone_call.organization_id = ${called}.organization_id
    and phone_call.direction = 'outgoing' and phone_call.to_number in ${numbersOf(sql`${called}`)}`
}

/** The conversations of an end user, also of calls to the end user's numbers that name no end user. Found through indexes. */
export const conversationsOf = (endUserId: string) => sql`
  select conversation.id from conversation where conversation.end_user_id = ${endUserId}::uuid
  union
  select conversation.id from end_user as called
  join phone_call on ${callsTo('called')}
  join conversation on conversation.id = phone_call.conversation_id and conversation.end_user_id is null
  where called.id = ${endUserId}::uuid`

/** The calls of the end user's numbers that have no conversation: rejected ones, and those whose session is not open yet. */
export const rejectedCallsOf = (endUserId: SQL) => sql`
  select rejected.id from end_user as caller
  join phone_call as rejected on rejected.organization_id = caller.organization_id
    and rejected.from_number in ${numbersOf(sql`caller`)} and rejected.conversation_id is null
  where caller.id = ${endUserId}`

/** The ids of the end user's tasks with their organization. */
export const tasksOfEndUser = (endUserId: string) => sql`
  select task.id, task.organization_id from end_user
  join task on task.organization_id = end_user.organization_id and task.external_user_id = end_user.external_id
  where end_user.id = ${endUserId}::uuid
  union
  select task.id, task.organization_id from end_user
  join task on task.organization_id = end_user.organization_id and task.to_number in ${numbersOf(sql`end_user`)}
    and task.external_user_id is null
  where end_user.id = ${endUserId}::uuid
  union
  select task.id, task.organization_id from task where task.source_conversation_id in (${conversationsOf(endUserId)})
  union
  select task.id, task.organization_id from task where task.conversation_id in (${conversationsOf(endUserId)})`
