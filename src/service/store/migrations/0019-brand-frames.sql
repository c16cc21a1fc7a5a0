-- Header and footer of a kit's site as JSON; null for none.
alter table brand_kit add column frame text;
