-- What a rejected claim was drawn from and who said it is known nowhere else, once it is erased.

create table rejected_sources (
    review_id  varchar not null,
    source     varchar not null                       -- id of an observation, or digest of an actor
);
