// Who may do what.

export interface ApiKeyTable {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly hash: string;
  readonly environment: string;
  readonly last_four: string;
  readonly scopes: string | null;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

export interface SessionTable {
  readonly hash: string;
  readonly account_id: string;
  readonly created_at: number;
  readonly last_seen_at: number;
  readonly expires_at: number;
}

export interface SignInLinkTable {
  readonly hash: string;
  readonly account_id: string;
  readonly expires_at: number;
}
