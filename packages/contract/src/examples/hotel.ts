/*
 * All examples are about a small hotel whose front desk looks up a booking. The IDs are consistent, so that readers can
 * follow references between the examples.
 */

export const ids = {
  agent: '01a1de5e-7a10-7c3e-9a4b-2f6d1e8c0a11',
  connection: '01a1de5e-6f02-7b1d-8c3a-5e9f4d2b7c10',
  conversation: '01a1de61-0b44-7d52-b1f7-8a3c6e5d9f20',
  turn: '01a1de61-0b45-7e63-a208-9b4d7f6eaf31',
  question: '01a1de61-0b46-7f74-9319-ac5e806fb042',
  call: '01a1de61-0f57-7085-842a-bd6f9170c153',
  answer: '01a1de61-1368-7196-953b-ce70a281d264',
  session: '01a1de63-2479-72a7-a64c-df81b392e375',
  approval: '01a1de65-358a-73b8-b75d-e092c4a3f486',
  task: '01a1de66-469b-74c9-886e-f1a3d5b40597',
  file: '01a1de67-57ac-75da-997f-02b4e6c516a8',
  key: '01a1de5d-68bd-76eb-aa80-13c5f7d627b9',
  person: '01a1de5d-79ce-78fc-8b91-35e719f849da',
  member: '01a1de5d-8adf-790d-9ca2-46f82a095aeb',
  invitation: '01a1de5d-9be0-7a1e-8db3-570a3b1a6bfc',
  signIn: '01a1de5d-acf1-7b2f-9ec4-681b4c2b7c0d',
  organization: '01a1de5c-bd02-7c30-8fd5-792c5d3c8d1e',
  record: '01a1de5e-7a11-77fc-bb91-24d608e738ca',
  webhook: '01a1de5e-ce13-7d41-90e6-8a3d6e4d9e2f',
  delivery: '01a1de61-0f58-7e52-81f7-9b4e7f5eaf30',
  event: '01a1de61-0f58-7f63-92a8-ac5f806fb041',
  mcpAuthorization: '01a1de5e-9d14-7e52-81f7-9b4e7f5eaf3a',
  mcpGrant: '01a1de5e-ae15-7f63-92a8-ac5f806fb04b',
  agentTest: '01a1de5e-bf14-7e52-81f7-9b4e7f5eaf3c',
  agentTestRun: '01a1de62-1f47-7c3e-9a4b-2f6d1e8c0a12',
  phoneConnection: '01a1de5e-7c12-7d41-90e6-8a3d6e4d9e30',
  phoneNumber: '01a1de5e-8d13-7d41-90e6-8a3d6e4d9e31',
  phoneCall: '01a1de63-1c14-7d41-90e6-8a3d6e4d9e32',
  budget: '01a1de5e-9c13-7d41-90e6-8a3d6e4d9e2f',
} as const

export const times = (createdAt: string, updatedAt = createdAt) => ({ createdAt, updatedAt })
