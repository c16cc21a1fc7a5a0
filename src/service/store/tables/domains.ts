// Tables of custom domains. Times are milliseconds since 1970.

export interface DomainTable {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly site_id: string | null;
  readonly redirect_to: string | null;
  readonly token: string;
  readonly status: "pending" | "verified" | "active" | "failed";
  readonly error: string | null;
  readonly attempts: number;
  readonly held_at: number | null;
  readonly missing_since: number | null;
  readonly last_checked_at: number | null;
  readonly next_check_at: number | null;
  readonly lease: string | null;
  readonly lease_until: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface DomainCertificateTable {
  readonly domain_id: string;
  readonly private_key: string | null;
  readonly chain: string | null;
  readonly issuer: string | null;
  readonly issued_at: number | null;
  readonly expires_at: number | null;
  readonly next_order_at: number;
  readonly attempts: number;
  readonly error: string | null;
  readonly lease: string | null;
  readonly lease_until: number | null;
}

interface AcmeChallengeTable {
  readonly token: string;
  readonly domain_id: string;
  readonly answer: string;
}

interface AcmeAccountTable {
  readonly directory: string;
  readonly private_key: string;
  readonly created_at: number;
}

export interface DomainTables {
  readonly domain: DomainTable;
  readonly domain_certificate: DomainCertificateTable;
  readonly acme_challenge: AcmeChallengeTable;
  readonly acme_account: AcmeAccountTable;
}
