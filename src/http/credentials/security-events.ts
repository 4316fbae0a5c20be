/** Events that tell an operator of attacks, and of changes of users, passwords and roles. */

/** An event for the security log. It has no password, no `Authorization` and no value. */
export type SecurityEvent =
  | {
      /**
       * `sign-in failed`: wrong credentials. `sign-in refused`: too many of them, not looked at. `credentials not
       * counted`: a browser may have added them to a request that another site's page made.
       */
      readonly event: 'sign-in failed' | 'sign-in refused' | 'credentials not counted'
      /** As sent. */
      readonly username: string
      /** The client's network address. */
      readonly address: string
    }
  | {
      readonly event: 'user created' | 'user changed' | 'user deleted' | 'password changed' | 'role changed'
      readonly username: string
      /** The user who did so. */
      readonly by: string
    }
