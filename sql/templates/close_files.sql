set allowed_directories = ['{folder}'];
set enable_external_access = false;
