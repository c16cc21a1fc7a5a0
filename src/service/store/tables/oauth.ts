export interface OAuthClientTable {
  readonly id: string;
  readonly metadata: string;
  readonly created_at: number;
  readonly expires_at: number | null;
}

export interface OAuthGrantTable {
  readonly id: string;
  readonly account_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_host: string;
  readonly scopes: string;
  readonly resources: string;
  readonly payload: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly last_used_at: number | null;
}

export interface OAuthTokenTable {
  readonly hash: string;
  readonly kind: string;
  readonly grant_id: string | null;
  readonly payload: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly used_at: number | null;
}
